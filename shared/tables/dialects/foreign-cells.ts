import { clipText } from "../../ground/text.ts";
import type { TableName } from "./table-names.ts";

/** Cells with characters above ASCII: how many there are, and the first of them. */
export interface ForeignCells {
  count: number;
  first: { text: string; row: number }[];
}

const SHOWN = 3;
const SHOWN_CHARACTERS = 40;

/** None so far. */
export function startForeign(): ForeignCells {
  return { count: 0, first: [] };
}

/** Counts a cell where it holds a character above ASCII. */
export function noteForeign(
  cells: ForeignCells,
  bytes: Buffer,
  start: number,
  end: number,
  row: number,
): void {
  let at = start;
  while (at < end && (bytes[at] as number) < 0x80) at++;
  if (at === end) return;
  cells.count++;
  if (cells.first.length < SHOWN)
    cells.first.push({ text: clipText(bytes.toString("utf8", start, end), SHOWN_CHARACTERS), row });
}

/** Counts names as cells. */
export function noteForeignNames(cells: ForeignCells, names: readonly TableName[], row: number): void {
  for (const { name } of names) {
    const bytes = Buffer.from(name);
    noteForeign(cells, bytes, 0, bytes.length, row);
  }
}
