import { isAscii } from "node:buffer";
import { splitCsvRecord } from "./csv-header.ts";
import type { CsvScan } from "./csv-scan-state.ts";

/** Letters of another encoding, and characters that nobody sees, in the bytes of a file. */
export interface LetterWatch {
  broken: LetterTally;
  unseen: LetterTally;
  /** Those of which the row is still to be found, by their places in the file. */
  pending: { tally: LetterTally; at: number; text: string }[];
  /** The place in the file up to which it was looked at. */
  upTo: number;
}

export interface LetterTally {
  count: number;
  rows: number[];
  columns: string[];
  /** How the first one reads. */
  text: string;
}

const MOST_PLACES = 3;
const SHOWN_BYTES = 12;

/** Starts a watch. */
export function startLetters(): LetterWatch {
  const startTally = (): LetterTally => ({ count: 0, rows: [], columns: [], text: "" });
  return { broken: startTally(), unseen: startTally(), pending: [], upTo: 0 };
}

const among = (...bytes: readonly number[]) =>
  Uint8Array.from({ length: 256 }, (_, at) => Number(bytes.includes(at)));
const between = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

// Bytes as Latin-1 letters: what begins so is found by a search of its own, and what may follow decides. UTF-8 that was
// read as Windows-1252 makes two or three letters of one, such as Ã¼ and â€™.
const PATTERNS: readonly [start: string, next: Uint8Array | null, kind: "broken" | "unseen"][] = [
  ["\xc3\x83", among(0xc2, 0xc5, 0xc6, 0xcb, 0xe2), "broken"],
  ["\xc3\x82", among(0xc2), "broken"],
  ["\xc3\xa2\xe2\x82\xac", null, "broken"],
  ["\xef\xbf\xbd", null, "broken"],
  ["\xc2", among(...between(0x80, 0x9f)), "broken"],
  ["\xc2\xad", null, "unseen"],
  ["\xd8\x9c", null, "unseen"],
  ["\xef\xbb\xbf", null, "unseen"],
  ["\xe2\x80", among(0x8b, 0x8e, 0x8f, ...between(0xaa, 0xae)), "unseen"],
  ["\xe2\x81", among(...between(0xa0, 0xa4), ...between(0xa6, 0xa9)), "unseen"],
];

/** Looks for such letters in the lines up to a place of the buffer, which hold whole characters. */
export function watchLetters(watch: LetterWatch, { buffer, offset }: CsvScan, end: number): void {
  const from = Math.max(watch.upTo - offset, 0);
  if (from >= end) return;
  watch.upTo = offset + end;
  if (isAscii(buffer.subarray(from, end))) return;
  const text = buffer.toString("latin1", from, end);
  const found = PATTERNS.flatMap(([start, next, kind]) =>
    findPlaces(text, start, next, watch[kind]).map((at) => ({ tally: watch[kind], at: from + at })),
  );
  for (const { tally, at } of found.sort((one, other) => one.at - other.at))
    watch.pending.push({ tally, at: offset + at, text: buffer.toString("utf8", at, at + SHOWN_BYTES) });
}

/** Counts the places of a kind, and gives the first three of the file. */
function findPlaces(text: string, start: string, next: Uint8Array | null, tally: LetterTally): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    if (next !== null && next[text.charCodeAt(at + start.length)] !== 1) continue;
    // The second half of broken letters is no letter of its own.
    if (start.startsWith("\xc2") && isHalf(text, at)) continue;
    tally.count++;
    if (places.length < MOST_PLACES) places.push(at);
  }
  return tally.rows.length < MOST_PLACES ? places : [];
}

function isHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1);
  return text.charCodeAt(at - 2) === 0xc3 && (code === 0x82 || code === 0x83);
}

/** Notes row and column of the letters that stand in a record. */
export function placeLetters(
  watch: LetterWatch,
  { buffer, offset, lines: row }: CsvScan,
  names: readonly string[],
  start: number,
  end: number,
): void {
  while ((watch.pending[0]?.at ?? Number.POSITIVE_INFINITY) < offset + end) {
    const { tally, at = 0, text = "" } = watch.pending.shift() ?? {};
    const column = [...splitCsvRecord(buffer, start, end)].findIndex(([, to]) => at < offset + to);
    const name = names[column];
    if (tally === undefined) return;
    if (tally.rows.length === MOST_PLACES) continue;
    if (tally.rows.length === 0) tally.text = text;
    tally.rows.push(row);
    if (name !== undefined) tally.columns.push(name);
  }
}
