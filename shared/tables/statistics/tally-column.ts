import { classifyCsvText } from "../inspection/column-types.ts";
import { isDateText } from "../inspection/dates.ts";
import type { Column, ColumnType } from "../inspection/verdict.ts";
import { findForm, tallyForm } from "./column-form.ts";
import { summarizeColumn } from "./summarize-column.ts";
import { countValue, startCounts, TAG, textOfValue, type ValueCounts } from "./value-counts.ts";
import { openWide } from "./wide-columns.ts";

/** The most different values of a column that are counted, and the most bytes of these. */
export const MOST_DIFFERENT = 1_000_000;
const MOST_BYTES = 67_108_864;

/** What is known of a column, as far as its cells were read. */
export type ColumnTally = ReturnType<typeof startTally>;

interface TallyOptions {
  /** What stands for blank. */
  missing: readonly string[];
  isCsv: boolean;
  seed: number;
}

/** Starts a column: it counts its values, and once they are too many goes on without them. */
export function startTally(column: Column, options: TallyOptions) {
  const most = MOST_DIFFERENT + options.missing.length;
  let counts = startCounts(options.seed);
  let wide: ReturnType<typeof openWideTally> | null = null;
  const widen = () => {
    const { size, bytes, ends, tags } = counts;
    wide = openWideTally(column, options, Math.min(size, MOST_DIFFERENT));
    for (let value = 0; value < size; value++) {
      const [start, end] = [ends[value] as number, ends[value + 1] as number];
      wide.add(bytes, start, end, tags[value] as number, counts.counts[value] as number);
    }
    counts = startCounts(options.seed);
  };
  return {
    name: column.name,
    /** Takes in the value that stands between two places of some bytes. */
    add(bytes: Buffer, start: number, end: number, tag: number) {
      if (wide !== null) return wide.add(bytes, start, end, tag, 1);
      countValue(counts, bytes, start, end, tag);
      if (counts.size > most || (counts.ends[counts.size] as number) > MOST_BYTES) widen();
    },
    /** Ends a pass over the table; true where its cells have to be read once more. */
    needsMore: () => wide?.needsMore() ?? false,
    /** The statistics as JSON text, and the form. */
    measured(rowCount: number) {
      if (wide !== null) return wide.measured(rowCount);
      const own = leaveOutMissing(column, counts, options);
      return {
        json: summarizeColumn(own.column, rowCount, { counts: own.counts }),
        form: findForm(own.column.type, own.counts),
      };
    },
  };
}

/** A column of more than so many different values. */
function openWideTally(column: Column, { missing, isCsv, seed }: TallyOptions, over: number) {
  const isMissing = openSearch(missing);
  const types = findTypes(isCsv);
  const start = (type: ColumnType) => ({ type, wide: openWide(type, seed), form: tallyForm(type), left: 0 });
  // What is left without what stands for blank may be of one type: then it is read again as such.
  let mayChange = column.type === "mixed" && missing.length > 0;
  let [state, isFirst] = [start(column.type), true];
  return {
    add(bytes: Buffer, from: number, end: number, tag: number, count: number): void {
      if (isMissing(bytes, from, end)) {
        if (isFirst) state.left += count;
        return;
      }
      state.wide.add(bytes, from, end, count);
      if (!isFirst) return;
      state.form.add(bytes, from, end);
      if (mayChange) types.add(bytes.toString("utf8", from, end), tag);
    },
    needsMore(): boolean {
      const type = mayChange ? types.type() : state.type;
      mayChange = false;
      if (type !== state.type) {
        state = start(type);
        return true;
      }
      isFirst = false;
      return state.wide.needsMore();
    },
    measured(rowCount: number) {
      const { type, wide, form, left } = state;
      const own = { ...column, type, missing: left };
      return { json: summarizeColumn(own, rowCount, { wide, over }), form: form.form() };
    },
  };
}

/** Opens the search for bytes among texts. */
function openSearch(texts: readonly string[]): (bytes: Buffer, start: number, end: number) => boolean {
  const lengths = new Set(texts.map((text) => Buffer.byteLength(text)));
  return (bytes, start, end) =>
    lengths.has(end - start) && texts.includes(bytes.toString("utf8", start, end));
}

/** A column and its values without those that stand for blank. */
function leaveOutMissing(column: Column, counts: ValueCounts, { missing, isCsv }: TallyOptions) {
  if (missing.length === 0) return { column: { ...column, missing: 0 }, counts };
  const kept = startCounts(counts.seed);
  const isMissing = openSearch(missing);
  const types = findTypes(isCsv);
  const { bytes, ends, tags, size } = counts;
  let left = 0;
  for (let value = 0; value < size; value++) {
    const [start, end] = [ends[value] as number, ends[value + 1] as number];
    if (isMissing(bytes, start, end)) {
      left += counts.counts[value] as number;
      continue;
    }
    const place = countValue(kept, bytes, start, end, tags[value] as number);
    kept.counts[place] = counts.counts[value] as number;
    if (column.type === "mixed") types.add(textOfValue(counts, value), tags[value] as number);
  }
  const type = column.type === "mixed" ? types.type() : kept.size === 0 ? "blank" : column.type;
  return { column: { ...column, type, missing: left }, counts: kept };
}

/** Finds the type of values that are shown one after the other. */
function findTypes(isCsv: boolean) {
  const types = new Set<ColumnType>();
  return {
    add(text: string, tag: number): void {
      if (types.size < 2) types.add(isCsv ? classifyCsvText(text) : classifyJson(text, tag === TAG.text));
    },
    type(): ColumnType {
      const [only = "blank", ...others] = types;
      return others.length > 0 ? "mixed" : only;
    },
  };
}

function classifyJson(text: string, isText: boolean): ColumnType {
  if (isText) return isDateText(text) ? "date" : "text";
  if (text.startsWith("{")) return "object";
  if (text.startsWith("[")) return "array";
  return text === "true" || text === "false" ? "boolean" : "number";
}
