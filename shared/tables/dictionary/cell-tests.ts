import { DAY_BYTES, readDay } from "../inspection/dates.ts";
import { CELL } from "../rows/cells.ts";
import { readShortNumber } from "../rows/decimal.ts";
import { countValue, startCounts } from "../statistics/value-counts.ts";
import { type Bound, type BoundKind, readBound } from "./bounds.ts";
import type { ColumnRules } from "./table-rules.ts";

/**
 * Whether the filled cell between two places keeps a rule for certain. False says no more than that its text has to be
 * looked at.
 */
export type CellTest = (bytes: Buffer, start: number, end: number, kind: number) => boolean;

/** What a column's cells are tested with. */
export interface TestContext {
  isCsv: boolean;
  rowCount: number;
  seed: number;
}

/** The tests by which the bounds and categories of a column hold. */
export function openCellTests(rules: ColumnRules, context: TestContext): CellTest[] {
  const bounds = [readSided(rules.minimum, -1), readSided(rules.maximum, 1)].filter((one) => one !== null);
  const of = (isWanted: (kind: BoundKind) => boolean) => bounds.filter(({ kind }) => isWanted(kind));
  const tests: CellTest[] = of((kind) => kind !== "number" && kind !== "day").map((one) =>
    testText(one, context),
  );
  // A cell is read once for both of its bounds.
  const numbers = of((kind) => kind === "number");
  if (numbers.length > 0) tests.push(testNumber(numbers, context));
  const days = of((kind) => kind === "day");
  if (days.length > 0) tests.push(testDay(days, context));
  if (rules.categories !== null) tests.push(testCategories(rules.categories, context.seed));
  return tests;
}

/** A bound with the sign of what is beyond it. */
interface SidedBound extends Bound {
  sign: number;
}

function readSided(text: string | null, sign: number): SidedBound | null {
  const bound = text === null ? null : readBound(text);
  return bound && { ...bound, sign };
}

/** The kind of the cells that may be numbers: those of a CSV have no other. */
export function kindOfNumbers(isCsv: boolean): number {
  return isCsv ? CELL.plain : CELL.raw;
}

function testNumber(bounds: readonly SidedBound[], context: TestContext): CellTest {
  const wanted = kindOfNumbers(context.isCsv);
  const [least, most] = toRange(bounds, ({ text }) => Number(text));
  const testLong = bounds.map((bound) => testText(bound, context, wanted));
  return (bytes, start, end, kind) => {
    const value = kind === wanted ? readShortNumber(bytes, start, end) : Number.NaN;
    if (value > least && value < most) return true;
    // One that is as far as a bound, or no short number.
    return testLong.every((test) => test(bytes, start, end, kind));
  };
}

function testDay(bounds: readonly SidedBound[], { isCsv }: TestContext): CellTest {
  const wanted = isCsv ? CELL.plain : CELL.safe;
  const [least, most] = toRange(bounds, ({ text }) => readDay(Buffer.from(text), 0));
  return (bytes, start, end, kind) => {
    const day = kind === wanted && end - start === DAY_BYTES ? readDay(bytes, start) : -1;
    return day >= 0 && day >= least && day <= most;
  };
}

/** The values of a lower and an upper bound, either of which may be left out. */
function toRange(
  bounds: readonly SidedBound[],
  readBoundary: (bound: SidedBound) => number,
): [least: number, most: number] {
  const [lower, upper] = [-1, 1].map((side) => bounds.find(({ sign }) => sign === side));
  return [
    lower === undefined ? Number.NEGATIVE_INFINITY : readBoundary(lower),
    upper === undefined ? Number.POSITIVE_INFINITY : readBoundary(upper),
  ];
}

/** A column with more cells whose texts are needed is read as values: each is looked at once there. */
const TEXTS_OF_ROWS = 1 / 16;

/** Compares the text of a cell as the rule itself does; not of many. */
function testText(
  { compare, sign }: SidedBound,
  { isCsv, rowCount }: TestContext,
  wanted: number = isCsv ? CELL.plain : CELL.safe,
): CellTest {
  let left = Math.ceil(rowCount * TEXTS_OF_ROWS);
  return (bytes, start, end, kind) => {
    if (kind !== wanted || left-- <= 0) return false;
    const order = compare(bytes.toString("utf8", start, end));
    return order !== null && order * sign <= 0;
  };
}

function testCategories(categories: readonly string[], seed: number): CellTest {
  const known = startCounts(seed);
  for (const text of categories) {
    const bytes = Buffer.from(text);
    // UTF-8 has no half of a pair: no cell holds such a text.
    if (text.isWellFormed()) countValue(known, bytes, 0, bytes.length, 0);
  }
  const { size } = known;
  // One that is not there is added behind those that are: the first ends the test of its column.
  return (bytes, start, end) => countValue(known, bytes, start, end, 0) < size;
}
