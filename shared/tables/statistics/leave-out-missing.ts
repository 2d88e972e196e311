import { classifyCsvText } from "../inspection/column-types.ts";
import { isDateText } from "../inspection/dates.ts";
import type { Column, ColumnType } from "../inspection/verdict.ts";
import { TAG } from "./summarize-column.ts";
import { countValue, startCounts, textOfValue, type ValueCounts } from "./value-counts.ts";

/** A column and its values without those that stand for blank. */
export function leaveOutMissing(
  column: Column,
  counts: ValueCounts,
  missing: readonly string[],
  isCsv: boolean,
): { column: Column & { missing: number }; counts: ValueCounts } {
  if (missing.length === 0) return { column: { ...column, missing: 0 }, counts };
  const kept = startCounts(counts.seed);
  const { bytes, ends, tags, size } = counts;
  const lengths = new Set(missing.map((text) => Buffer.byteLength(text)));
  for (let value = 0; value < size; value++) {
    const [start, end] = [ends[value] as number, ends[value + 1] as number];
    if (lengths.has(end - start) && missing.includes(textOfValue(counts, value))) continue;
    const place = countValue(kept, bytes, start, end, tags[value] as number);
    kept.counts[place] = counts.counts[value] as number;
  }
  const cellsOf = ({ counts: all, size }: ValueCounts) =>
    all.subarray(0, size).reduce((sum, one) => sum + one, 0);
  const type = column.type === "mixed" ? findType(kept, isCsv) : kept.size === 0 ? "blank" : column.type;
  return { column: { ...column, type, missing: cellsOf(counts) - cellsOf(kept) }, counts: kept };
}

/** The type of a column by its values. */
function findType(counts: ValueCounts, isCsv: boolean): ColumnType {
  const types = new Set<ColumnType>();
  for (let value = 0; value < counts.size && types.size < 2; value++) {
    const text = textOfValue(counts, value);
    types.add(isCsv ? classifyCsvText(text) : classifyJson(text, counts.tags[value] === TAG.text));
  }
  const [only = "blank", ...others] = types;
  return others.length > 0 ? "mixed" : only;
}

function classifyJson(text: string, isText: boolean): ColumnType {
  if (isText) return isDateText(text) ? "date" : "text";
  if (text.startsWith("{")) return "object";
  if (text.startsWith("[")) return "array";
  return text === "true" || text === "false" ? "boolean" : "number";
}
