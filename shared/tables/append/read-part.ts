import { countNoun } from "../../ground/text.ts";
import { cutMark } from "../inspection/byte-blocks.ts";
import { watchFirstRecord } from "../inspection/csv-faults.ts";
import { clip, decodeCsvRecord, readHeader } from "../inspection/csv-header.ts";
import { FileRefused } from "../inspection/verdict.ts";

const GIVE_HEADER = "Begin the file with the header of the base: the same names in the same order.";

/** How the header of a part differs first from the base's, as the refusal of it; null where they are equal. */
export function findHeaderDifference(base: readonly string[], part: readonly string[]): string | null {
  const most = Math.max(base.length, part.length);
  for (let at = 0; at < most; at++) {
    if (base[at] !== part[at]) return `${describe(base, part, at)} ${GIVE_HEADER}`;
  }
  return null;
}

function describe(base: readonly string[], part: readonly string[], at: number): string {
  const [expected, found] = [base[at], part[at]];
  const column = `column ${at + 1}`;
  if (expected === undefined) {
    return `The header has ${column}, "${clip(found ?? "")}", and the base has only ${countNoun(base.length, "column")}.`;
  }
  if (found === undefined) {
    return `The header lacks ${column}, "${clip(expected)}": it has ${countNoun(part.length, "column")}, and the base ${base.length}.`;
  }
  const shown = [clip(found), clip(expected)];
  const how = shown[0] === shown[1] ? " The names look the same and are not: compare their characters." : "";
  return `The header names ${column} "${shown[0]}", and the base "${shown[1]}".${how}`;
}

const [LF, CR] = [0x0a, 0x0d];

/** What an append has to know of a CSV file: the names of its columns, and the line end of its first record. */
export interface CsvStart {
  names: readonly string[];
  /** Null where the file ends with its header. */
  lineEnd: "\n" | "\r\n" | null;
}

/** Reads the header of a file that passed inspection, and no more of it than that takes. */
export async function readCsvStart(pieces: AsyncIterable<Uint8Array>): Promise<CsvStart> {
  const { record } = await readRecord(withoutMark(pieces), Number.POSITIVE_INFINITY);
  const { end, lineEnd } = trimRecord(record);
  return { names: [...decodeCsvRecord(record, 0, end)], lineEnd };
}

/**
 * The bytes of a part behind its header, which has to be the base's. Throws `FileRefused` where it is not, before it
 * gives any.
 */
export async function* readCsvPart(
  pieces: AsyncIterable<Uint8Array>,
  base: CsvStart,
): AsyncGenerator<Uint8Array> {
  const source = withoutMark(pieces);
  try {
    const { record, rest, isWhole } = await readRecord(source, mostHeaderBytes(base.names));
    if (record.length === 0) {
      throw new FileRefused("Row 1 is missing: the file is empty. Start it with the column names.");
    }
    const { end } = trimRecord(record);
    const separator = findSeparator(record.toString("utf8", 0, end), base.names);
    if (separator !== undefined && separator !== ",") throw refuseSeparator(separator);
    const header = [...decodeCsvRecord(record, 0, end)];
    const difference = findHeaderDifference(base.names, isWhole ? readHeader(header) : header);
    if (difference !== null) throw separator ? refuseSeparator(separator) : new FileRefused(difference);
    yield rest;
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
  } finally {
    await source.return(undefined);
  }
}

/** Whether the last three bytes of a file end a blank line. */
export const endsBlank = (tail: string): boolean => /\n\r?\n$/.test(tail);

/** The bytes of a part that stand behind a line; throws `FileRefused` where they end with blank lines. */
export async function* refuseBlankEnd(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let tail = "\n";
  for await (const piece of pieces) {
    tail = (tail + Buffer.from(piece.subarray(-3)).toString("latin1")).slice(-3);
    yield piece;
  }
  if (!endsBlank(tail)) return;
  throw new FileRefused(
    "The file ends with blank lines, behind which no more rows could be appended. Send it without them.",
  );
}

/** What stands between the names of a header that is the base's but for quotes: in a converted part it may be a comma. */
function findSeparator(header: string, names: readonly string[]): string | undefined {
  const bare = header.replaceAll('"', "");
  return names.length === 1 ? undefined : [",", ";", "\t", "|"].find((mark) => bare === names.join(mark));
}

function refuseSeparator(delimiter: string): FileRefused {
  return new FileRefused(
    `The header has the names of the base, behind another separator than these rows are read by. Name the dialect of the file: ${JSON.stringify({ delimiter })}.`,
  );
}

/** No way to write these names takes more bytes: each in quotes, and every character one to be doubled. */
function mostHeaderBytes(names: readonly string[]): number {
  return 2 * Buffer.byteLength(names.join("")) + 3 * names.length + 2;
}

/** Reads up to the end of the first record, or up to `most` bytes of it. */
async function readRecord(source: AsyncIterator<Uint8Array>, most: number) {
  const findEnd = watchFirstRecord();
  const held: Buffer[] = [];
  let bytes = 0;
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    const end = findEnd(next.value);
    // A copy: the source may use its piece again.
    const piece = Buffer.from(next.value);
    held.push(end === -1 ? piece : piece.subarray(0, end));
    bytes += piece.length;
    if (end !== -1) return { record: Buffer.concat(held), rest: piece.subarray(end), isWhole: true };
    if (bytes > most) return { record: Buffer.concat(held), rest: Buffer.alloc(0), isWhole: false };
  }
  return { record: Buffer.concat(held), rest: Buffer.alloc(0), isWhole: true };
}

function trimRecord(record: Buffer): { end: number; lineEnd: CsvStart["lineEnd"] } {
  if (record.at(-1) !== LF) return { end: record.length, lineEnd: null };
  if (record.at(-2) !== CR) return { end: record.length - 1, lineEnd: "\n" };
  return { end: record.length - 2, lineEnd: "\r\n" };
}

const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT] = [0x5b, 0x5d, 0x7b];
const [COMMA, SPACE, TAB] = [0x2c, 0x20, 0x09];
/** How much of a file is held until its first item has come. */
const MOST_SPACE_BYTES = 16_384;
const PUT_INTO_LIST = "Put the new objects into one list, as those of the base are.";

/**
 * The bytes of a list that follow the base's items: its opening bracket becomes the comma between them, or a space
 * where one of the lists is empty, so every line and column of the part stays. Throws `FileRefused` for what is no list,
 * before it gives any.
 */
export async function* readJsonPart(
  pieces: AsyncIterable<Uint8Array>,
  isBaseEmpty: boolean,
): AsyncGenerator<Uint8Array> {
  const source = withoutMark(pieces);
  try {
    yield await readStart(source, isBaseEmpty);
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
  } finally {
    await source.return(undefined);
  }
}

/** Reads up to the first item or the end of the list, and puts the joint in the place of its bracket. */
async function readStart(source: AsyncIterator<Uint8Array>, isBaseEmpty: boolean): Promise<Buffer> {
  let start = Buffer.alloc(0);
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    start = Buffer.concat([start, next.value]);
    const bracket = findBracket(start);
    const first = bracket === -1 ? undefined : start[skipSpace(start, bracket + 1)];
    if (first !== undefined) {
      start[bracket] = isBaseEmpty || first === CLOSE_LIST ? SPACE : COMMA;
      return start;
    }
    if (start.length > MOST_SPACE_BYTES)
      throw new FileRefused(`The list begins with more than 16,384 bytes of white space. Leave them out.`);
  }
  // A list that ends here is not closed, which its inspection tells.
  const bracket = findBracket(start);
  if (bracket === -1) throw new FileRefused(`The file holds no JSON value. ${PUT_INTO_LIST}`);
  start[bracket] = isBaseEmpty ? SPACE : COMMA;
  return start;
}

/** The place of the opening bracket; -1 while only white space has come. */
function findBracket(bytes: Uint8Array): number {
  const at = skipSpace(bytes, 0);
  const first = bytes[at];
  if (first === undefined) return -1;
  if (first === OPEN_LIST) return at;
  const lines = bytes.subarray(0, at).filter((byte) => byte === LF).length;
  const what = first === OPEN_OBJECT ? "an object begins here" : "no list begins here";
  throw new FileRefused(`Line ${lines + 1}: ${what}, and the base is a list. ${PUT_INTO_LIST}`);
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== SPACE && byte !== LF && byte !== CR && byte !== TAB) break;
  }
  return at;
}

/** The closing bracket of a file that passed inspection as a list, from its last bytes; -1 where they are white space. */
export function findListEnd(tail: Uint8Array): number {
  let at = tail.length - 1;
  while (at >= 0 && skipSpace(tail.subarray(0, at + 1), at) > at) at--;
  return at;
}

/** The same bytes without a byte-order mark before them, each as soon as it comes. */
export async function* withoutMark(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first: Buffer | null = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (first !== null) first = Buffer.concat([first, piece]);
    if (first !== null && first.length < MARK_BYTES) continue;
    yield first === null ? piece : cutMark(first);
    first = null;
  }
  if (first !== null && first.length > 0) yield first;
}

const MARK_BYTES = 3;
