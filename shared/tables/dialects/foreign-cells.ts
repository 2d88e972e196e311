import { isAscii } from "node:buffer";
import { clipText } from "../../ground/text.ts";

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
export function noteForeign(cells: ForeignCells, bytes: Buffer, row: number): void {
  if (isAscii(bytes)) return;
  cells.count++;
  if (cells.first.length < SHOWN)
    cells.first.push({ text: clipText(bytes.toString("utf8"), SHOWN_CHARACTERS), row });
}
