import { CELL, type CellPlaces } from "../rows/cells.ts";
import { readShortNumber } from "../rows/decimal.ts";
import { isNewValue, startCounts, type ValueCounts } from "../statistics/value-counts.ts";
import { type CellTest, kindOfNumbers, openCellTests, type TestContext } from "./cell-tests.ts";
import type { ColumnRules, DescribedCells } from "./table-rules.ts";

/** A column, as far as its cells were read. */
export interface FollowedColumn {
  name: string;
  slot: number;
  /** Null where no rule is followed, as the column is of the key alone or needs more than its own cells. */
  rules: ColumnRules | null;
  /** Whether each rule has held so far. */
  holds: boolean;
  /** Whether no cell was blank so far, and each stands as its text is. */
  isFilled: boolean;
  blanks: number;
  missing: readonly Buffer[];
  tests: readonly CellTest[];
  /** Its values so far, where no two may be the same. */
  different: ValueCounts | null;
  /** What its numbers are, where they have to be described. */
  numbers: NumberTally | null;
}

interface NumberTally {
  kind: number;
  count: number;
  areWhole: boolean;
}

/** A column before its first cell. */
export function followColumn(
  {
    name,
    slot,
    rules,
    missing,
  }: Pick<FollowedColumn, "name" | "slot" | "rules"> & { missing: readonly string[] },
  context: TestContext,
): FollowedColumn {
  const { isCsv, seed } = context;
  const isDescribed = rules !== null && missing.length > 0;
  return {
    ...{ name, slot, rules, holds: rules !== null, isFilled: true, blanks: 0 },
    missing: missing.map((text) => Buffer.from(text)),
    tests: rules === null ? [] : openCellTests(rules, context),
    different: rules?.unique ? startCounts(seed) : null,
    numbers: isDescribed ? { kind: kindOfNumbers(isCsv), count: 0, areWhole: true } : null,
  };
}

/** Takes in the row that was located last. */
export function followRow(columns: readonly FollowedColumn[], bytes: Buffer, places: CellPlaces): void {
  for (let slot = 0; slot < columns.length; slot++) {
    const column = columns[slot] as FollowedColumn;
    const kind = places.kinds[slot] as number;
    if (kind === CELL.null || kind === CELL.empty || isMissing(column, bytes, places)) {
      column.blanks++;
      column.isFilled = false;
      if (column.rules?.required) column.holds = false;
    } else if (kind !== CELL.plain && kind !== CELL.safe && kind !== CELL.raw) {
      column.isFilled = false;
      column.holds = false;
    } else if (column.holds) column.holds = keepsRules(column, bytes, places, kind);
  }
}

function isMissing({ missing, slot }: FollowedColumn, bytes: Buffer, { starts, ends }: CellPlaces): boolean {
  if (missing.length === 0) return false;
  const start = starts[slot] as number;
  const length = (ends[slot] as number) - start;
  for (let place = 0; place < missing.length; place++) {
    const text = missing[place] as Buffer;
    let at = text.length === length ? 0 : length;
    while (at < length && text[at] === bytes[start + at]) at++;
    if (at === length && text.length === length) return true;
  }
  return false;
}

function keepsRules(column: FollowedColumn, bytes: Buffer, places: CellPlaces, kind: number): boolean {
  const { slot, tests, numbers, different } = column;
  const start = places.starts[slot] as number;
  const end = places.ends[slot] as number;
  for (let place = 0; place < tests.length; place++)
    if (!(tests[place] as CellTest)(bytes, start, end, kind)) return false;
  if (numbers !== null && !countNumber(numbers, bytes, start, end, kind)) return false;
  return different === null || isNewValue(different, bytes, start, end);
}

const POINT = 0x2e;

function countNumber(tally: NumberTally, bytes: Buffer, start: number, end: number, kind: number): boolean {
  if (kind !== tally.kind || Number.isNaN(readShortNumber(bytes, start, end))) return false;
  tally.count++;
  for (let at = start; tally.areWhole && at < end; at++) tally.areWhole = bytes[at] !== POINT;
  return true;
}

/** What a column holds beside its missing values; null for one without them. */
export function describeProven({ name, blanks, numbers }: FollowedColumn): DescribedCells | null {
  if (numbers === null) return null;
  if (numbers.count === 0) return { name, type: "blank", blanks, form: "" };
  return { name, type: "number", blanks, form: numbers.areWhole ? "integer" : "decimal" };
}
