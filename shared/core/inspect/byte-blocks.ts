import { isUtf8 } from "node:buffer";
import { FileRefused } from "./verdict.ts";

/** Bytes that are looked at together; blocks of one size make the outcome independent of how the bytes arrived. */
const BLOCK_BYTES = 65_536;

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

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

/** Whole characters of a file. */
export interface Block {
  bytes: Buffer;
  /** Where in the file they begin. */
  offset: number;
  /** Where in the file the first byte after them stands that is not UTF-8; null where there is none. */
  badAt: number | null;
}

/**
 * The bytes of a UTF-8 source in blocks that never cut a character, without its byte-order mark. The last block may
 * end before a byte that is not UTF-8: what stands before it is read first, so that the first fault of the file is
 * the one that is told. Throws `FileRefused` on the first bytes of a PDF, an image or an archive.
 */
export async function* readBlocks(
  source: AsyncIterable<Uint8Array>,
  blockBytes: number = BLOCK_BYTES,
): AsyncGenerator<Block> {
  let carried: Buffer = Buffer.alloc(0);
  let offset = 0;
  for await (const block of regroupBytes(source, blockBytes)) {
    if (offset === 0 && carried.length === 0) refuseForeignStart(block);
    const bytes = carried.length === 0 ? block : Buffer.concat([carried, block]);
    const whole = bytes.subarray(0, countWholeCharacterBytes(bytes));
    // A copy: the source may use its chunk again.
    carried = Buffer.from(bytes.subarray(whole.length));
    if (!isUtf8(whole)) {
      const good = countGoodBytes(whole);
      yield { ...withoutMark(whole.subarray(0, good), offset), badAt: offset + good };
      return;
    }
    yield { ...withoutMark(whole, offset), badAt: null };
    offset += whole.length;
  }
  if (carried.length > 0) yield { bytes: Buffer.alloc(0), offset, badAt: offset };
}

/** The refusal of a byte that is not UTF-8, by its place in the file and the line it stands in. */
export function refuseByte(line: number, badAt: number): FileRefused {
  return new FileRefused(
    `Line ${line} (byte ${badAt + 1}) is not UTF-8 text. Save the file as UTF-8 and upload it again.`,
  );
}

async function* regroupBytes(source: AsyncIterable<Uint8Array>, blockBytes: number): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of source) {
    let rest = chunk;
    while (held + rest.length >= blockBytes) {
      parts.push(rest.subarray(0, blockBytes - held));
      rest = rest.subarray(blockBytes - held);
      yield joinParts(parts);
      parts = [];
      held = 0;
    }
    if (rest.length > 0) parts.push(rest);
    held += rest.length;
  }
  if (held > 0) yield joinParts(parts);
}

function joinParts(parts: Uint8Array[]): Buffer {
  const [only] = parts;
  if (parts.length !== 1 || only === undefined) return Buffer.concat(parts);
  return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
}

function refuseForeignStart(bytes: Uint8Array): void {
  const found = FOREIGN_STARTS.find((start) => start.bytes.every((byte, index) => bytes[index] === byte));
  if (found === undefined) return;
  throw new FileRefused(
    `The file is ${found.what}, whatever its name says. Upload CSV, JSON, TXT or Markdown as UTF-8 text.`,
  );
}

function withoutMark(bytes: Buffer, offset: number): { bytes: Buffer; offset: number } {
  const isMarked = offset === 0 && BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);
  return isMarked ? { bytes: bytes.subarray(3), offset: 3 } : { bytes, offset };
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
