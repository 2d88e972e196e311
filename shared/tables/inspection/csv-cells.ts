import { MARKS } from "./cell-marks.ts";
import { KIND_BITS } from "./column-types.ts";
import { readDate } from "./dates.ts";
import { markTextByStart } from "./text-marks.ts";

/**
 * The kinds of CSV cells by their bytes: the rules of column-types.ts, without making a text of each cell. Every
 * loop runs on bytes that end in a line feed, which no number, word or plain cell holds, so none asks for the end.
 */

const [LF, CR, QUOTE, COMMA, MINUS, DOT, PLUS] = [0x0a, 0x0d, 0x22, 0x2c, 0x2d, 0x2e, 0x2b];
const [ZERO, NINE, SMALL_E, BIG_E] = [0x30, 0x39, 0x65, 0x45];
/** The kind of a number that is looked at; the first two digits of many of them. */
const ODD_NUMBER = KIND_BITS.number | MARKS.look;
const [NINES, ZEROS] = [0x3939, 0x3030];

/** The kind bit of a blank cell. */
export const BLANK = 0;

/** Whether a plain cell can end at this byte. */
export function endsCell(byte: number): boolean {
  return byte === COMMA || byte === LF || byte === CR;
}

/** Whether a number or a date may start with this byte. */
function startsNumber(byte: number): boolean {
  return byte <= NINE && (byte >= ZERO || byte === MINUS);
}

/** Of the cell read last: its kind, and what it looks like. */
interface CellRead {
  /** A bit of `KIND_BITS` and any of `MARKS`. */
  kind: number;
}

/** Where the plain cell that `at` stands in ends, or has a quote. A loop of its own: as a part of another it is slow. */
function skipPlainCell(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    const byte = bytes[at] as number;
    if (byte <= COMMA && (endsCell(byte) || byte === QUOTE)) return at;
    at++;
  }
}

/** Where the number that starts here ends, whose kind it notes; its start when no complete number stands here. */
function skipNumber(read: CellRead, bytes: Uint8Array, from: number): number {
  const first = bytes[from] === MINUS ? from + 1 : from;
  let at = skipDigits(bytes, first);
  if (at === first) return from;
  const digits = at - first;
  if (bytes[at] === DOT) {
    const fraction = at + 1;
    at = skipDigits(bytes, fraction);
    if (at === fraction) return from;
  }
  const pair = ((bytes[first] as number) << 8) | (bytes[first + 1] as number);
  const isOdd =
    digits > 9 ||
    (pair - ZEROS) >>> 0 <= 9 ||
    (pair === NINES && bytes[first + 2] === NINE) ||
    (first > from && digits > 3);
  read.kind = isOdd ? ODD_NUMBER : KIND_BITS.number | (8 << digits);
  const byte = bytes[at];
  if (byte !== SMALL_E && byte !== BIG_E) return at;
  read.kind = ODD_NUMBER;
  return skipExponent(bytes, from, at + 1);
}

function skipExponent(bytes: Uint8Array, from: number, sign: number): number {
  const first = bytes[sign] === PLUS || bytes[sign] === MINUS ? sign + 1 : sign;
  const at = skipDigits(bytes, first);
  return at === first ? from : at;
}

/** Gives the place behind the digits that begin here. */
export function skipDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (((bytes[at] as number) - ZERO) >>> 0 <= 9) at++;
  return at;
}

/** The kind of a cell that is not a number, as a bit of `KIND_BITS`; a text has marks. */
function classifyOther(bytes: Buffer, start: number, end: number): number {
  const first = bytes[start] as number;
  const length = end - start;
  if (startsNumber(first) && readDate(bytes, start, end) !== null) return KIND_BITS.date;
  if ((length === 4 || length === 5) && isBoolean(bytes, start, length)) return KIND_BITS.boolean;
  return length === 0 ? BLANK : KIND_BITS.text | markTextByStart(first, length);
}

/** Notes the kind of a value that stands in quotes, without doubled quotes. */
export function classifyQuoted(read: CellRead, bytes: Buffer, start: number, end: number): void {
  if (start < end && startsNumber(bytes[start] as number) && skipNumber(read, bytes, start) === end) return;
  read.kind = classifyOther(bytes, start, end);
}

const [TRUE, BIG_TRUE, CAPITAL_TRUE] = ["true", "TRUE", "True"].map(packFour);
const [FALS, BIG_FALS, CAPITAL_FALS] = ["fals", "FALS", "Fals"].map(packFour);

function packFour(word: string): number {
  return Buffer.from(word).readInt32BE();
}

function isBoolean(bytes: Uint8Array, at: number, length: number): boolean {
  const pair = ((bytes[at] as number) << 24) | ((bytes[at + 1] as number) << 16);
  const four = pair | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number);
  if (length === 4) return four === TRUE || four === BIG_TRUE || four === CAPITAL_TRUE;
  const fifth = bytes[at + 4];
  return fifth === BIG_E ? four === BIG_FALS : fifth === SMALL_E && (four === FALS || four === CAPITAL_FALS);
}

/** Reads a cell without quotes around it: gives its end, and notes its kind. */
export function readPlainCell(read: CellRead, buffer: Buffer, start: number): number {
  if (startsNumber(buffer[start] as number)) {
    const end = skipNumber(read, buffer, start);
    if (end !== start && endsCell(buffer[end] as number)) return end;
  }
  let end = skipPlainCell(buffer, start);
  if (buffer[end] === QUOTE) {
    while (buffer[end] === QUOTE) end = skipPlainCell(buffer, end + 1);
    read.kind = KIND_BITS.text | MARKS.look | MARKS.quote;
    return end;
  }
  read.kind = classifyOther(buffer, start, end);
  return end;
}
