import { isUtf8 } from "node:buffer";
import { FileRefused } from "./verdict.ts";

const LIST_FORMATS = "Upload CSV, JSON, TXT or Markdown as UTF-8 text.";
const SAVE_SHEET = "Save the sheet as CSV in UTF-8 and upload that.";

type Foreign = readonly [what: string, bytes: readonly number[], mend: string];
const CONVERT_UTF_32 = "Convert it, for example with iconv -f UTF-32 -t UTF-8, and upload it again.";
const UTF_32: Foreign = ["UTF-32 text", [0x00, 0x00, 0xfe, 0xff], CONVERT_UTF_32];

// Formats that are no text, whatever the file's name says. Some begin with plain ASCII, so only their first
// bytes show the format.
const FOREIGN_STARTS: readonly Foreign[] = [
  ["a PDF", [0x25, 0x50, 0x44, 0x46, 0x2d], LIST_FORMATS],
  ["a PNG image", [0x89, 0x50, 0x4e, 0x47], LIST_FORMATS],
  ["a JPEG image", [0xff, 0xd8, 0xff], LIST_FORMATS],
  ["a GIF image", [0x47, 0x49, 0x46, 0x38], LIST_FORMATS],
  ["a ZIP archive or an office file", [0x50, 0x4b, 0x03, 0x04], `${LIST_FORMATS} ${SAVE_SHEET}`],
  ["an old office file", [0xd0, 0xcf, 0x11, 0xe0], SAVE_SHEET],
  ["a gzip archive", [0x1f, 0x8b], LIST_FORMATS],
  ["an xz archive", [0xfd, 0x37, 0x7a, 0x58], LIST_FORMATS],
  ["a zstd archive", [0x28, 0xb5, 0x2f, 0xfd], LIST_FORMATS],
  ["a 7-Zip archive", [0x37, 0x7a, 0xbc, 0xaf], LIST_FORMATS],
  ["a Parquet file", [0x50, 0x41, 0x52, 0x31], LIST_FORMATS],
  ["an SQLite database", [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66], LIST_FORMATS],
  ["UTF-32 text", [0xff, 0xfe, 0x00, 0x00], CONVERT_UTF_32],
  UTF_32,
];

/** First bytes by which a file is known to be no UTF-8 text. */
export const FIRST_BYTES = 8;

/**
 * Throws `FileRefused` for the first bytes of a PDF, an image, an archive or a database, and for those of UTF-16 text where
 * that is not read.
 */
export function refuseForeignStart(bytes: Uint8Array, readsUtf16 = false): void {
  const marked = FOREIGN_STARTS.find(([, start]) => start.every((byte, index) => bytes[index] === byte));
  const found = marked ?? (isBareUtf32(bytes) ? UTF_32 : undefined);
  if (found !== undefined) {
    throw new FileRefused(`The file is ${found[0]}, whatever its name says. ${found[2]}`);
  }
  const utf16 = readsUtf16 ? null : findUtf16(bytes);
  if (utf16 !== null)
    throw new FileRefused(
      `The file is UTF-16 text. Convert it, for example with iconv -f ${utf16.toUpperCase()} -t UTF-8, and upload it again.`,
    );
}

/** Whether of each four bytes one is not NUL, as in UTF-32 of any two ASCII characters. */
function isBareUtf32(bytes: Uint8Array): boolean {
  const isAt = (place: number) =>
    bytes.subarray(0, FIRST_BYTES).every((byte, at) => (byte !== 0) === (at % 4 === place));
  return bytes.length >= FIRST_BYTES && (isAt(0) || isAt(3));
}

/**
 * The UTF-16 that a file begins with: by its mark, or where every other one of four bytes is NUL, as in that of any two
 * ASCII characters; null for any other file.
 */
export function findUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  if (first === 0xff && second === 0xfe && (third !== 0 || fourth !== 0 || bytes.length < 4))
    return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (bytes.length < 4) return null;
  if (first > 0 && second === 0 && third > 0 && fourth === 0) return "utf-16le";
  return first === 0 && second > 0 && third === 0 && fourth > 0 ? "utf-16be" : null;
}

/** The first byte of a file that is not UTF-8: its value, its place from 0, and its fault. */
export interface BadByte {
  byte: number;
  at: number;
  /** Whether it begins a character that the end of the file cuts. */
  isCut: boolean;
}

const NAME_ENCODING =
  'Name the encoding that the file has in dialect, such as {"encoding": "shift_jis"}, or convert it to UTF-8, for example with iconv.';
const CONVERT =
  "Convert the file from the encoding it has, for example with iconv -f WINDOWS-1252 -t UTF-8, and upload it again.";

/** The refusal of a byte that is not UTF-8, by its place in the file and the line it stands in. */
export function refuseByte(line: number, { byte, at, isCut }: BadByte, isTable = false): FileRefused {
  const hex = byte.toString(16).toUpperCase();
  const character = new TextDecoder("windows-1252").decode(Uint8Array.of(byte));
  // Windows-1252 leaves five bytes free.
  const guess = character.charCodeAt(0) === byte && byte < 0xa0 ? "" : `, "${character}" in Windows-1252`;
  const cut = isCut ? " It begins a character that the end of the file cuts: is the file whole?" : "";
  const says = `Line ${line} (byte ${at + 1}) is not UTF-8 text: byte ${hex}${guess}.${cut}`;
  if (!isTable || guess === "") return new FileRefused(`${says} ${isTable ? NAME_ENCODING : CONVERT}`);
  const otherwise = ` where that is right. ${NAME_ENCODING.replace("Name", "Else name")}`;
  return new FileRefused({ says, dialect: { encoding: "windows-1252" }, otherwise });
}

/** Bytes up to the last character that is complete, so that a border between chunks never looks like bad UTF-8. */
export function countWholeCharacterBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/**
 * The number of bytes before the first that is not UTF-8. Every prefix of valid text is valid, so a binary
 * search finds it.
 */
export function countGoodBytes(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length;
  while (good < bad) {
    const middle = Math.ceil((good + bad) / 2);
    const prefix = bytes.subarray(0, middle);
    if (isUtf8(prefix.subarray(0, countWholeCharacterBytes(prefix)))) good = middle;
    else bad = middle - 1;
  }
  return countWholeCharacterBytes(bytes.subarray(0, good));
}

const LINE_FEED = 0x0a;

/** Line feeds in bytes. */
export function countLineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) count++;
  return count;
}

/** Whole characters of a file. */
export interface Block {
  bytes: Buffer;
  /** Where in the file they begin. */
  offset: number;
  /** The first byte after the characters where that is not UTF-8. */
  bad: BadByte | null;
}

/** Starts to cut the bytes of a file, which come in pieces, behind whole characters. */
export function cutCharacters() {
  let carried = Buffer.alloc(0);
  let at = 0;
  return {
    /** The whole characters of the next piece and of what the one before it left, up to the first byte that is not UTF-8. */
    take(piece: Buffer): Block {
      const bytes = carried.length === 0 ? piece : Buffer.concat([carried, piece]);
      const whole = bytes.subarray(0, countWholeCharacterBytes(bytes));
      // A copy: the source may use its piece again.
      carried = Buffer.from(bytes.subarray(whole.length));
      const good = isUtf8(whole) ? whole.length : countGoodBytes(whole);
      const byte = whole[good];
      const offset = at;
      at += whole.length;
      const bad = byte === undefined ? null : { byte, at: offset + good, isCut: false };
      return { bytes: whole.subarray(0, good), offset, bad };
    },
    /** The first byte of a character that the end of the file cuts. */
    end(): BadByte | null {
      const [byte] = carried;
      return byte === undefined ? null : { byte, at, isCut: true };
    },
  };
}

/** Checks the bytes of a file as they pass: one call a chunk, and one without at the end. */
export type EncodingWatch = (chunk?: Uint8Array) => void;

/**
 * Starts a watch that throws `FileRefused` for a file that is no UTF-8 text, as its inspection would; of a table, whose
 * encoding may be another, it looks at the first bytes alone.
 */
export function watchEncoding(isTable = false): EncodingWatch {
  const characters = cutCharacters();
  /** The first bytes of the file, while they are too few to show its format. */
  let start: Buffer | null = Buffer.alloc(0);
  let line = 1;
  return (chunk) => {
    let bytes =
      chunk === undefined ? Buffer.alloc(0) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    if (start !== null) {
      bytes = Buffer.concat([start, bytes]);
      const isWaiting = chunk !== undefined && bytes.length < FIRST_BYTES;
      start = isWaiting ? bytes : null;
      if (isWaiting) return;
      refuseForeignStart(bytes, isTable);
    }
    if (isTable) return;
    const taken = characters.take(bytes);
    line += countLineFeeds(taken.bytes);
    const bad = taken.bad ?? (chunk === undefined ? characters.end() : null);
    if (bad !== null) throw refuseByte(line, bad);
  };
}
