import { type Block, cutCharacters, refuseForeignStart } from "./encoding.ts";

/** The size of a block; blocks of one size make the outcome independent of the way the bytes arrived. */
const BLOCK_BYTES = 65_536;

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/**
 * The bytes of a UTF-8 source in blocks that never cut a character, without its byte-order mark. The last
 * block may end before a byte that is not UTF-8: its reader takes the characters before that byte first, so
 * that it reports the first fault of the file. Throws `FileRefused` on the first bytes of a PDF, an image or
 * an archive.
 */
export async function* readBlocks(
  source: AsyncIterable<Uint8Array>,
  blockBytes: number = BLOCK_BYTES,
): AsyncGenerator<Block> {
  const characters = cutCharacters();
  let isFirst = true;
  for await (const piece of regroupBytes(source, blockBytes)) {
    if (isFirst) refuseForeignStart(piece);
    isFirst = false;
    const { bytes, offset, bad } = characters.take(piece);
    const kept = offset === 0 ? cutMark(bytes) : bytes;
    yield { bytes: kept, offset: offset + bytes.length - kept.length, bad };
    if (bad !== null) return;
  }
  const bad = characters.end();
  if (bad !== null) yield { bytes: Buffer.alloc(0), offset: bad.at, bad };
}

/** Cuts blocks so that one begins at a byte of the file, and calls `arrive` when everything before it has been taken. */
export async function* cutBlocksAt(
  blocks: AsyncIterable<Block>,
  at: number | undefined,
  arrive: () => void,
): AsyncGenerator<Block> {
  if (at === undefined) return yield* blocks;
  let isBefore = true;
  for await (const block of blocks) {
    const cut = at - block.offset;
    if (!isBefore || cut >= block.bytes.length) {
      yield block;
      continue;
    }
    isBefore = false;
    if (cut > 0) yield { bytes: block.bytes.subarray(0, cut), offset: block.offset, bad: null };
    arrive();
    yield { bytes: block.bytes.subarray(cut), offset: at, bad: block.bad };
  }
  if (isBefore) arrive();
}

/** The bytes of a source in pieces of one size, but the last. */
export async function* regroupBytes(
  source: AsyncIterable<Uint8Array>,
  blockBytes: number,
): AsyncGenerator<Buffer> {
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
    // A copy: the source may use its chunk again.
    if (rest.length > 0) parts.push(Uint8Array.from(rest));
    held += rest.length;
  }
  if (held > 0) yield joinParts(parts);
}

function joinParts(parts: Uint8Array[]): Buffer {
  const [only] = parts;
  if (parts.length !== 1 || only === undefined) return Buffer.concat(parts);
  return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
}

/** The first bytes of a file without its byte-order mark. */
export function cutMark(bytes: Buffer): Buffer {
  return BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? bytes.subarray(3) : bytes;
}

/** Bytes of a file that were not read to their end, at the beginning of a buffer. */
interface HeldBytes {
  buffer: Buffer;
  filled: number;
}

// Loops may read some bytes past a cell's end before they find it.
const SPARE_BYTES = 64;

/** Puts bytes behind those that are held; a NUL behind them, which no token holds, stops loops. */
export function holdBytes(held: HeldBytes, bytes: Uint8Array): void {
  const needed = held.filled + bytes.length + SPARE_BYTES;
  if (needed > held.buffer.length) {
    const larger = Buffer.alloc(Math.max(needed, 2 * held.buffer.length));
    held.buffer.copy(larger, 0, 0, held.filled);
    held.buffer = larger;
  }
  held.buffer.set(bytes, held.filled);
  held.filled += bytes.length;
  held.buffer[held.filled] = 0;
}
