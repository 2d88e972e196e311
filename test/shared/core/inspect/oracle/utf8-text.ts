import { isUtf8 } from "node:buffer";
import { FileRefused } from "../../../../../shared/core/inspect/verdict.ts";

/** Bytes that are decoded at once; blocks of one size make the outcome independent of how the bytes arrived. */
const BLOCK_BYTES = 65_536;

const LINE_FEED = 0x0a;

// Files that are no text whatever their name says. A PDF may be pure ASCII, so only its first bytes tell.
const FOREIGN_STARTS: readonly { what: string; bytes: readonly number[] }[] = [
  { what: "a PDF", bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { what: "a PNG image", bytes: [0x89, 0x50, 0x4e, 0x47] },
  { what: "a JPEG image", bytes: [0xff, 0xd8, 0xff] },
  { what: "a ZIP archive or an office file", bytes: [0x50, 0x4b, 0x03, 0x04] },
  { what: "a gzip archive", bytes: [0x1f, 0x8b] },
  { what: "UTF-16 text", bytes: [0xff, 0xfe] },
  { what: "UTF-16 text", bytes: [0xfe, 0xff] },
];

/**
 * The text of a UTF-8 source in blocks that never cut a character, without its byte-order mark.
 * Throws `FileRefused` on bytes that are not UTF-8 and on the first bytes of a PDF, an image or an archive.
 */
export async function* decodeUtf8(
  source: AsyncIterable<Uint8Array>,
  blockBytes: number = BLOCK_BYTES,
): AsyncGenerator<string> {
  let carried: Uint8Array = new Uint8Array(0);
  let line = 1;
  let offset = 0;
  for await (const block of regroupBytes(source, blockBytes)) {
    if (offset === 0 && carried.length === 0) refuseForeignStart(block);
    const bytes = carried.length === 0 ? block : Buffer.concat([carried, block]);
    const whole = bytes.subarray(0, countWholeCharacterBytes(bytes));
    carried = bytes.subarray(whole.length);
    if (!isUtf8(whole)) {
      // What stands before the bad byte is read first: the first fault of the file is the one that is told.
      const good = whole.subarray(0, countGoodBytes(whole));
      yield toText(good, offset === 0);
      throw refuseByte(line + countLineFeeds(good), offset + good.length);
    }
    yield toText(whole, offset === 0);
    line += countLineFeeds(whole);
    offset += whole.length;
  }
  if (carried.length > 0) throw refuseByte(line, offset);
}

async function* regroupBytes(
  source: AsyncIterable<Uint8Array>,
  blockBytes: number,
): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of source) {
    let rest = chunk;
    while (held + rest.length >= blockBytes) {
      parts.push(rest.subarray(0, blockBytes - held));
      rest = rest.subarray(blockBytes - held);
      yield Buffer.concat(parts);
      parts = [];
      held = 0;
    }
    if (rest.length > 0) parts.push(rest);
    held += rest.length;
  }
  if (held > 0) yield Buffer.concat(parts);
}

function refuseForeignStart(bytes: Uint8Array): void {
  const found = FOREIGN_STARTS.find((start) => start.bytes.every((byte, index) => bytes[index] === byte));
  if (found === undefined) return;
  throw new FileRefused(
    `The file is ${found.what}, whatever its name says. Upload CSV, JSON, TXT or Markdown as UTF-8 text.`,
  );
}

/** Bytes up to the last character that is complete, so that a block border never looks like bad UTF-8. */
function countWholeCharacterBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function toText(bytes: Uint8Array, isStart: boolean): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return isStart && text.startsWith("\ufeff") ? text.slice(1) : text;
}

function countLineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

/** Bytes before the first that is not UTF-8; that every prefix of good text is good makes halving possible. */
function countGoodBytes(bytes: Uint8Array): number {
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

function refuseByte(line: number, bytesBefore: number): FileRefused {
  return new FileRefused(
    `Line ${line} (byte ${bytesBefore + 1}) is not UTF-8 text. Save the file as UTF-8 and upload it again.`,
  );
}
