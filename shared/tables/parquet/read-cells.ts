import { CELL, textOfCell } from "../rows/cells.ts";
import { numberOfValue } from "../statistics/value-counts.ts";
import type { ParquetKind } from "./find-kinds.ts";
import type { LocatedCells } from "./located-cells.ts";
import { readInteger } from "./number-cells.ts";
import { readDay, readTime } from "./time-cells.ts";

/** A value as the writer of Parquet takes it: text stands as its bytes. */
export type ParquetValue = bigint | number | boolean | Uint8Array | null;

type ReadCell = (bytes: Buffer, start: number, end: number) => ParquetValue;

const [SMALL_T, CAPITAL_T] = [0x74, 0x54];
const PLACES = new Uint32Array(2);

const READ: Readonly<Record<Exclude<ParquetKind, "text" | "json">, ReadCell>> = {
  integer: readInteger,
  double: (bytes, start, end) => {
    PLACES[0] = start;
    PLACES[1] = end;
    return numberOfValue({ bytes, ends: PLACES }, 0);
  },
  day: readDay,
  time: (bytes, start, end) => BigInt(readTime(bytes, start, end) ?? 0),
  boolean: (bytes, start) => bytes[start] === SMALL_T || bytes[start] === CAPITAL_T,
};

/** The values of one of the located columns, null where a cell is blank. */
export function readCells(
  bytes: Buffer,
  { places, rowCount }: LocatedCells,
  slot: number,
  kind: ParquetKind,
): ParquetValue[] {
  const from = slot * rowCount;
  const values = new Array<ParquetValue>(rowCount).fill(null);
  const read = kind === "text" || kind === "json" ? null : READ[kind];
  for (let row = 0, cell = from; row < rowCount; row++, cell++) {
    const how = places.kinds[cell];
    if (how === CELL.null || how === CELL.empty) continue;
    const isPlain = how === CELL.plain || how === CELL.safe || how === CELL.raw;
    const start = isPlain ? (places.starts[cell] as number) : 0;
    // A date may be written with escapes, too.
    const text = isPlain ? bytes : Buffer.from(textOfCell(bytes, places, cell) ?? "");
    const end = isPlain ? (places.ends[cell] as number) : text.length;
    values[row] = read === null ? text.subarray(start, end) : read(text, start, end);
  }
  return values;
}
