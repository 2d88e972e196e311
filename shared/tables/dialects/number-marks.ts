import { isNumberText } from "../inspection/column-types.ts";
import { note, startTally, type Tally } from "../inspection/tally.ts";
import type { Dialect } from "./dialect.ts";
import { startTable, type TableHooks } from "./follow-table.ts";
import { type OpenFile, readTable } from "./read-table.ts";

/** How a file marks its numbers, and reads a text that is one. */
export type NumberMarks = ReturnType<typeof createMarks>;

/** The marks that a dialect names; null where it names none. */
export function findMarks({ decimalChar, groupChar }: Dialect): NumberMarks | null {
  if (decimalChar === undefined && groupChar === undefined) return null;
  return createMarks(decimalChar ?? (groupChar === "." ? "," : "."), groupChar ?? null);
}

/** Marks for a decimal and a group. */
export function createMarks(decimal: "," | ".", group: string | null) {
  const grouped = group === null ? "" : `|\\d{1,3}(?:[${group}]\\d{3})+`;
  return {
    decimal,
    decimalByte: decimal.charCodeAt(0),
    group,
    pattern: new RegExp(`^-?(?:\\d+${grouped})(?:[${decimal}]\\d+)?$`),
  };
}

/** A number as every file has it: without groups, with a decimal point. Null for a text that is none by the marks. */
export function convertNumber({ decimal, group, pattern }: NumberMarks, text: string): string | null {
  if (!pattern.test(text)) return null;
  const plain = group === null ? text : text.replaceAll(group, "");
  return decimal === "." ? plain : plain.replace(decimal, ".");
}

/** What a column is made of, as bits; 0 where it has no filled cell. */
const HAS = { number: 1, plain: 2, other: 4 } as const;

const [MINUS, ZERO] = [0x2d, 0x30];

/** Where the decimal mark of a number without groups is; its end where it has none, and -1 for any other text. */
export function findDecimal(bytes: Uint8Array, start: number, end: number, marks: NumberMarks): number {
  let found = end;
  let digits = 0;
  for (let at = bytes[start] === MINUS ? start + 1 : start; at < end; at++) {
    const byte = bytes[at] as number;
    if ((byte - ZERO) >>> 0 <= 9) digits++;
    else if (byte === marks.decimalByte && found === end && digits > 0) {
      found = at;
      digits = 0;
    } else return -1;
  }
  return digits > 0 ? found : -1;
}

/** The cells of a column that are read as they are and have a point which may stand between thousands, as in 1.200. */
export interface PointedCells extends Tally {
  /** Numbers of up to three digits without a point. */
  wholes: number;
}

/** By column; null where a cell tells that points do not stand between thousands. */
export type PointedColumns = (PointedCells | null)[];

const POINTS = createMarks(".", null);
const GROUP = 3;

/** Notes a cell of a column whose numbers are read as they are. */
export function notePoint(
  columns: PointedColumns,
  column: number,
  row: number,
  bytes: Buffer,
  start: number,
  end: number,
): void {
  const known = columns[column];
  if (known === null) return;
  const point = findDecimal(bytes, start, end, POINTS);
  const first = bytes[start] === MINUS ? start + 1 : start;
  const isWhole = point === end;
  const mayBeGroup = point - first <= GROUP && (isWhole || end - point === GROUP + 1);
  const isZero = bytes[first] === ZERO && end - first > 1;
  const cells = known ?? { ...startTally(), wholes: 0 };
  columns[column] = point !== -1 && mayBeGroup && !isZero ? cells : null;
  if (isWhole) cells.wholes++;
  else {
    if (cells.count === 0) cells.text = bytes.toString("latin1", start, end);
    note(cells, row);
  }
}

function classify(bytes: Buffer, start: number, end: number, marks: NumberMarks): number {
  const at = findDecimal(bytes, start, end, marks);
  if (at !== -1) return at === end || marks.decimal === "." ? HAS.plain : HAS.number;
  const text = bytes.toString("utf8", start, end);
  if (!marks.pattern.test(text)) return HAS.other;
  return isNumberText(text) ? HAS.plain : HAS.number;
}

/**
 * The places of the columns that are made of numbers by the marks of a dialect, and not without; none where it names no
 * marks, or names columns.
 */
export async function surveyNumbers(open: OpenFile, dialect: Dialect): Promise<number[]> {
  const marks = dialect.columns === undefined ? findMarks(dialect) : null;
  if (marks === null) return [];
  const kinds: number[] = [];
  const hooks: TableHooks = {
    names: () => undefined,
    endRow: () => undefined,
    value: (bytes, start, end, column) => {
      const known = kinds[column] ?? 0;
      // One cell that is no number settles a column.
      if (start === end || (known & HAS.other) !== 0) return;
      kinds[column] = known | classify(bytes, start, end, marks);
    },
  };
  for await (const _ of readTable(open, startTable(dialect), hooks));
  return kinds.flatMap((bits, column) =>
    (bits & HAS.number) !== 0 && (bits & HAS.other) === 0 ? [column] : [],
  );
}
