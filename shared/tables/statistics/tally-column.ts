import { markNumber } from "../inspection/cell-marks.ts";
import {
  classifyCsvText,
  isNumberText,
  KIND_BITS,
  kindsOfCsv,
  typeOfKinds,
} from "../inspection/column-types.ts";
import { isDateText } from "../inspection/dates.ts";
import type { Column, ColumnType } from "../inspection/verdict.ts";
import { openFigures } from "./column-figures.ts";
import { tallyForm } from "./column-form.ts";
import { type ColumnValues, summarizeColumn } from "./summarize-column.ts";
import { countValue, startCounts, TAG, type ValueCounts } from "./value-counts.ts";

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
  const isMissing = openSearch(options.missing);
  const figures = followFigures(column, options, isMissing);
  let counts: ValueCounts | null = startCounts(options.seed);
  let over = 0;
  const showCounted = ({ size, bytes, ends, tags, counts: times }: ValueCounts) => {
    for (let value = 0; value < size; value++) {
      const [start, end] = [ends[value] as number, ends[value + 1] as number];
      figures.add(bytes, start, end, tags[value] as number, times[value] as number);
    }
  };
  return {
    name: column.name,
    /** Takes in the value that stands between two places of some bytes. */
    add(bytes: Buffer, start: number, end: number, tag: number) {
      if (counts === null) return figures.add(bytes, start, end, tag, 1);
      countValue(counts, bytes, start, end, tag);
      if (counts.size <= most && (counts.ends[counts.size] as number) <= MOST_BYTES) return;
      over = Math.min(counts.size, MOST_DIFFERENT);
      showCounted(counts);
      counts = null;
    },
    /** Ends a pass over the table; true where its cells have to be read once more. */
    needsMore: () => counts === null && figures.needsMore(),
    /** The statistics as JSON text, and the form. */
    measured(rowCount: number) {
      if (counts === null) return figures.measured(rowCount, { over });
      do showCounted(counts);
      while (figures.needsMore());
      return figures.measured(rowCount, { counts, kept: listKept(counts, isMissing) });
    },
  };
}

type Search = (bytes: Buffer, start: number, end: number) => boolean;

/** The numbers of the values that do not stand for blank. */
function listKept({ bytes, ends, size }: ValueCounts, isMissing: Search): number[] {
  return [...Array(size).keys()].filter(
    (value) => !isMissing(bytes, ends[value] as number, ends[value + 1] as number),
  );
}

/** What the values of a column say together, without those that stand for blank. */
function followFigures(column: Column, { missing, isCsv, seed }: TallyOptions, isMissing: Search) {
  const types = findTypes(isCsv);
  const start = (type: ColumnType) => ({
    type,
    figures: openFigures(type, seed),
    form: tallyForm(type),
    left: 0,
  });
  // What is left without what stands for blank may be of one type: then it is read again as such. 0000 makes texts of numbers.
  const isOfCodes = isCsv && column.type === "text" && missing.some(isNumberText);
  let mayChange = isOfCodes || (column.type === "mixed" && missing.length > 0);
  let [state, isFirst, isEmpty] = [start(column.type), true, true];
  return {
    add(bytes: Buffer, from: number, end: number, tag: number, count: number): void {
      if (isMissing(bytes, from, end)) {
        if (isFirst) state.left += count;
        return;
      }
      isEmpty = false;
      state.figures.add(bytes, from, end, count);
      if (!isFirst) return;
      state.form.add(bytes, from, end);
      if (mayChange) types.add(bytes, from, end, tag);
    },
    /** Ends a pass over the values; true where they have to be shown once more. */
    needsMore(): boolean {
      const known = mayChange ? types.type() : state.type;
      const type = isEmpty ? "blank" : known;
      mayChange = false;
      if (type !== state.type) {
        state = start(type);
        return true;
      }
      isFirst = false;
      return state.figures.needsMore();
    },
    measured(rowCount: number, values: ColumnValues) {
      const { type, figures, form, left } = state;
      const own = { ...column, type, missing: left };
      return { json: summarizeColumn(own, rowCount, figures.figures(), values), form: form.form() };
    },
  };
}

/** Opens the search for bytes among texts. */
function openSearch(texts: readonly string[]): Search {
  const lengths = new Set(texts.map((text) => Buffer.byteLength(text)));
  return (bytes, start, end) =>
    lengths.has(end - start) && texts.includes(bytes.toString("utf8", start, end));
}

/** Finds the type of values that are shown one after the other, by the rule of whole columns. */
export function findTypes(isCsv: boolean) {
  let bits = 0;
  return {
    add(bytes: Buffer, start: number, end: number, tag: number): void {
      const text = bytes.toString("utf8", start, end);
      const kind = isCsv ? classifyCsvText(text) : classifyJson(text, tag === TAG.text);
      bits |= KIND_BITS[kind];
      if (isCsv && kind === "number") bits |= markNumber(bytes, start, end);
    },
    type: (): ColumnType => typeOfKinds(isCsv ? kindsOfCsv(bits) : bits),
  };
}

function classifyJson(text: string, isText: boolean): keyof typeof KIND_BITS {
  if (isText) return isDateText(text) ? "date" : "text";
  if (text.startsWith("{")) return "object";
  if (text.startsWith("[")) return "array";
  return text === "true" || text === "false" ? "boolean" : "number";
}
