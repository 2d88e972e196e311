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

type Kind = "broken" | "unseen" | null;
/** What a byte that is searched for begins or ends, by the four bytes before it and behind it. */
type Look = (before: string, behind: string) => Kind;

const isBroken = (is: boolean): Kind => (is ? "broken" : null);

// Bytes as Latin-1 letters. UTF-8 that was read as Windows-1252 makes two or three letters of one, such as Ã¼ and â€™.
// Of each sequence the byte is searched that is the rarest in texts.
const LOOKS: readonly [byte: string, look: Look][] = [
  ["\x83", (before, behind) => isBroken(before.endsWith("\xc3") && /^[\xc2\xc5\xc6\xcb\xe2]/.test(behind))],
  ["\x82", (before, behind) => isBroken(before.endsWith("\xc3") && behind.startsWith("\xc2"))],
  ["\xa2", (before, behind) => isBroken(before.endsWith("\xc3") && behind.startsWith("\xe2\x82\xac"))],
  ["\x9c", (before) => (before.endsWith("\xd8") ? "unseen" : null)],
  ["\xc2", lookAtLatin],
  [
    "\xe2",
    (_, behind) =>
      /^(?:\x80[\x8b\x8e\x8f\xaa-\xae]|\x81[\xa0-\xa4\xa6-\xa9])/.test(behind) ? "unseen" : null,
  ],
  [
    "\xef",
    (_, behind) => (behind.startsWith("\xbb\xbf") ? "unseen" : isBroken(behind.startsWith("\xbf\xbd"))),
  ],
];

function lookAtLatin(before: string, behind: string): Kind {
  // The second half of broken letters is no letter of its own.
  if (/\xc3[\x82\x83]$/.test(before)) return null;
  return behind.startsWith("\xad") ? "unseen" : isBroken(/^[\x80-\x9f]/.test(behind));
}

/** Looks for such letters in the lines up to a place of the buffer, which hold whole characters. */
export function watchLetters(watch: LetterWatch, { buffer, offset }: CsvScan, end: number): void {
  const from = Math.max(watch.upTo - offset, 0);
  if (from >= end) return;
  watch.upTo = offset + end;
  if (isAscii(buffer.subarray(from, end))) return;
  const text = buffer.toString("latin1", from, end);
  const places = LOOKS.flatMap(([byte, look]) => findPlaces(text, byte, look));
  for (const { kind, at } of places.sort((one, other) => one.at - other.at)) {
    const tally = watch[kind];
    if (tally.count++ >= MOST_PLACES) continue;
    watch.pending.push({ tally, at: offset + from + at });
  }
}

function findPlaces(text: string, byte: string, look: Look): { kind: "broken" | "unseen"; at: number }[] {
  const places: { kind: "broken" | "unseen"; at: number }[] = [];
  for (let at = text.indexOf(byte); at !== -1; at = text.indexOf(byte, at + 1)) {
    const kind = look(text.slice(Math.max(at - 3, 0), at), text.slice(at + 1, at + 4));
    const isContinuation = (byte.charCodeAt(0) & 0xc0) === 0x80;
    if (kind !== null) places.push({ kind, at: isContinuation ? at - 1 : at });
  }
  return places;
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
