// The form of frames: RFC 8878, section 3.1.1.
const MAGIC = 0xfd2fb528;
/** The magic number, and the byte that tells the length of the header. */
const BEGIN_BYTES = 5;
const BLOCK_HEADER_BYTES = 3;
const RLE = 1;
/** The header of a last block without content. */
const NOTHING = 1;

/** There is something behind the first frame. */
export class BehindFrame extends Error {
  override name = "BehindFrame";
}

interface Walk {
  isFirst: boolean;
  isInside: boolean;
  sumBytes: number;
  /** The bytes to come of the header or block under way. */
  left: number;
}

/**
 * Passes the first frame on to its decoder, and drops empty ones behind it: Node's packer adds one where the data fill its
 * buffer to the last byte. Throws `BehindFrame` for anything else.
 */
export async function* takeFrame(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const walk: Walk = { isFirst: true, isInside: false, sumBytes: 0, left: 0 };
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([held, piece]);
    const { taken, ofFirst } = step(walk, bytes);
    held = bytes.subarray(taken);
    if (ofFirst > 0) yield bytes.subarray(0, ofFirst);
  }
  if (walk.isFirst) yield held;
  else if (held.length > 0 || walk.isInside || walk.left > 0) throw new BehindFrame();
}

/** Walks over bytes: how many are done with, and how many of them are of the first frame. */
function step(walk: Walk, bytes: Buffer): { taken: number; ofFirst: number } {
  let taken = 0;
  let ofFirst = 0;
  while (taken < bytes.length) {
    if (walk.left === 0) walk.left = measureNext(walk, bytes, taken);
    if (walk.left === 0) break;
    const length = Math.min(walk.left, bytes.length - taken);
    taken += length;
    walk.left -= length;
    if (walk.isFirst) ofFirst = taken;
    if (walk.left === 0 && !walk.isInside) walk.isFirst = false;
  }
  return { taken, ofFirst };
}

/** The length of the header of a frame, or of the block, that begins here; 0 where that is not known yet. */
function measureNext(walk: Walk, bytes: Buffer, at: number): number {
  if (!walk.isInside) {
    if (bytes.length - at < BEGIN_BYTES) return 0;
    if (!walk.isFirst && bytes.readUInt32LE(at) !== MAGIC) throw new BehindFrame();
    const descriptor = bytes.readUInt8(at + BEGIN_BYTES - 1);
    walk.isInside = true;
    walk.sumBytes = descriptor & 4;
    return BEGIN_BYTES + countMore(descriptor);
  }
  if (bytes.length - at < BLOCK_HEADER_BYTES) return 0;
  const block = bytes.readUIntLE(at, BLOCK_HEADER_BYTES);
  if (!walk.isFirst && block !== NOTHING) throw new BehindFrame();
  walk.isInside = (block & 1) === 0;
  const contentBytes = ((block >> 1) & 3) === RLE ? 1 : block >> 3;
  return BLOCK_HEADER_BYTES + contentBytes + (walk.isInside ? 0 : walk.sumBytes);
}

/** The bytes of a frame's header behind its begin: of the window, of a dictionary's id, and of the size of the content. */
function countMore(descriptor: number): number {
  const isSingle = (descriptor & 32) !== 0;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  return (isSingle ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] ?? 0) + sizeBytes;
}
