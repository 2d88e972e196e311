import { isAscii } from "node:buffer";
import { splitCsvRecord } from "./csv-header.ts";
import type { CsvScan } from "./csv-scan-state.ts";
import { countWholeCharacterBytes } from "./encoding.ts";
import { addPlace, startTally, type Tally } from "./tally.ts";

/** Letters of another encoding, and characters that nobody sees, in the bytes of a file. */
export type LetterWatch = ReturnType<typeof startLetters>;

const MOST_PLACES = 3;
const SHOWN_BYTES = 12;
const QUOTE = 0x22;

/** Starts a watch. */
export function startLetters() {
  return {
    /** Each counts all, with the places of the first, and has the text of the first. */
    ...{ broken: startTally(), unseen: startTally() },
    /** Those of which the row is still to be found, by their places in the file. */
    pending: [] as { tally: Tally; at: number }[],
    /** The place in the file up to which it was looked at. */
    upTo: 0,
  };
}

// Bytes as Latin-1 letters. UTF-8 that was read as Windows-1252 makes two or three letters of one, such as Ã¼ and â€™, of
// which the second half is no letter of its own.
const UNSEEN = String.raw`\xd8\x9c|(?<!\xc3[\x82\x83])\xc2\xad|\xe2\x80[\x8b\x8e\x8f\xaa-\xae]|\xe2\x81[\xa0-\xa4\xa6-\xa9]|\xef\xbb\xbf`;
const BROKEN = String.raw`\xc3\x83(?=[\xc2\xc5\xc6\xcb\xe2])|\xc3\x82(?=\xc2)|\xc3\xa2(?=\xe2\x82\xac)|(?<!\xc3[\x82\x83])\xc2[\x80-\x9f]|\xef\xbf\xbd`;
const LETTERS = new RegExp(`(${UNSEEN})|${BROKEN}`, "g");

/** Looks for such letters in the lines up to a place of the buffer, which hold whole characters. */
export function watchLetters(watch: LetterWatch, { buffer, offset }: CsvScan, end: number): void {
  const from = Math.max(watch.upTo - offset, 0);
  if (from >= end) return;
  watch.upTo = offset + end;
  if (isAscii(buffer.subarray(from, end))) return;
  const text = buffer.toString("latin1", from, end);
  for (const { 1: unseen, index } of text.matchAll(LETTERS)) {
    const tally = unseen === undefined ? watch.broken : watch.unseen;
    if (tally.count++ < MOST_PLACES) watch.pending.push({ tally, at: offset + from + index });
  }
}

/** The first characters from a place in a cell on, all of them whole. */
function showFrom(buffer: Buffer, from: number, [start, to] = [from, from]): string {
  const cellEnd = buffer[start] === QUOTE ? to - 1 : to;
  const end = Math.min(from + SHOWN_BYTES, cellEnd);
  const shown = buffer.subarray(from, end);
  return shown.toString("utf8", 0, end < cellEnd ? countWholeCharacterBytes(shown) : shown.length);
}

/** Notes row and column of the letters that stand in a record. */
export function placeLetters(
  watch: LetterWatch,
  { buffer, offset, lines: row }: CsvScan,
  start: number,
  end: number,
): void {
  while ((watch.pending[0]?.at ?? Number.POSITIVE_INFINITY) < offset + end) {
    const { tally, at = 0 } = watch.pending.shift() ?? {};
    const cells = [...splitCsvRecord(buffer, start, end)];
    const column = cells.findIndex(([, to]) => at < offset + to);
    if (tally === undefined) return;
    if (tally.rows.length === 0) tally.text = showFrom(buffer, at - offset, cells[column]);
    addPlace(tally, row, column);
  }
}
