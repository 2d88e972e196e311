import { watchFirstRecord } from "../inspection/csv-faults.ts";
import { clip, readHeader } from "../inspection/csv-header.ts";
import { decodeCsvRecord } from "../inspection/csv-text.ts";
import { FileRefused } from "../inspection/verdict.ts";
import { withoutMark } from "./mark.ts";

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
    return `The header has ${column}, "${clip(found ?? "")}", and the base has only ${count(base.length)}.`;
  }
  if (found === undefined) {
    return `The header lacks ${column}, "${clip(expected)}": it has ${count(part.length)}, and the base ${base.length}.`;
  }
  const shown = [clip(found), clip(expected)];
  const how = shown[0] === shown[1] ? " The names look the same and are not: compare their characters." : "";
  return `The header names ${column} "${shown[0]}", and the base "${shown[1]}".${how}`;
}

const count = (columns: number) => (columns === 1 ? "1 column" : `${columns} columns`);

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
    const header = [...decodeCsvRecord(record, 0, end)];
    const difference = findHeaderDifference(base.names, isWhole ? readHeader(header) : header);
    if (difference !== null) throw new FileRefused(difference);
    yield rest;
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
  } finally {
    await source.return(undefined);
  }
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
