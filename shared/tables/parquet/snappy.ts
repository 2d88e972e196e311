/**
 * Compresses bytes as Snappy, the codec that every reader of Parquet has. The library's own compressor makes a view of
 * memory for each piece that it writes; this one makes none, and writes the same bytes.
 */

/** A match is found by a hash of its first four bytes, in a table of at most so many bits. */
const MOST_TABLE_BITS = 14;
const HASH_FACTOR = 0x1e35a7bd;
/** What one copy can reach back. */
const MOST_OFFSET = 0xffff;
/** The last bytes are written as they are. */
const MARGIN = 15;
/** A search that finds nothing takes larger steps: by one byte more for each so many tries. */
const TRIES_A_STEP = 32;

/** Compressed bytes that grow at their end. */
interface Output {
  bytes: Uint8Array;
  length: number;
}

/** The bytes as one block of Snappy. */
export function compressSnappy(input: Uint8Array): Uint8Array {
  const { length } = input;
  // A piece that is written as it is costs a byte or two for each six at the most.
  const out: Output = { bytes: new Uint8Array(32 + length + Math.ceil(length / 6)), length: 0 };
  let rest = length;
  for (; rest > 0x7f; rest >>>= 7) out.bytes[out.length++] = (rest & 0x7f) | 0x80;
  out.bytes[out.length++] = rest;
  const written = length < MARGIN ? 0 : writeMatches(out, input);
  if (written < length) writeLiteral(out, input, written, length);
  return out.bytes.subarray(0, out.length);
}

/** Writes the input up to its last match; gives where that ends. */
function writeMatches(out: Output, input: Uint8Array): number {
  const limit = input.length - MARGIN;
  const bits = Math.min(MOST_TABLE_BITS, 31 - Math.clz32(input.length));
  const table = new Uint32Array(1 << bits);
  const shift = 32 - bits;
  let [at, written] = [1, 0];
  for (;;) {
    let candidate = 0;
    let word = 0;
    for (let [tries, next] = [TRIES_A_STEP, at]; ; tries++) {
      at = next;
      if (at > limit) return written;
      word = readWord(input, at);
      const slot = Math.imul(word, HASH_FACTOR) >>> shift;
      candidate = table[slot] as number;
      table[slot] = at;
      if (at - candidate <= MOST_OFFSET && readWord(input, candidate) === word) break;
      next = at + Math.floor(tries / TRIES_A_STEP);
    }
    writeLiteral(out, input, written, at);
    do {
      const end = findEnd(input, at, candidate);
      writeCopies(out, at - candidate, end - at);
      at = end;
      written = end;
      if (at >= limit) return written;
      table[Math.imul(readWord(input, at - 1), HASH_FACTOR) >>> shift] = at - 1;
      word = readWord(input, at);
      const slot = Math.imul(word, HASH_FACTOR) >>> shift;
      candidate = table[slot] as number;
      table[slot] = at;
    } while (at - candidate <= MOST_OFFSET && readWord(input, candidate) === word);
    at++;
  }
}

function readWord(input: Uint8Array, at: number): number {
  return (
    (input[at] as number) |
    ((input[at + 1] as number) << 8) |
    ((input[at + 2] as number) << 16) |
    ((input[at + 3] as number) << 24)
  );
}

/** Where the bytes from `at` on are no longer those from `candidate` on, of which four are. */
function findEnd(input: Uint8Array, at: number, candidate: number): number {
  const distance = at - candidate;
  let end = at + 4;
  while (end < input.length && input[end] === input[end - distance]) end++;
  return end;
}

/** The longest literal whose length stands in its first byte. */
const SHORT_LITERAL = 60;

function writeLiteral(out: Output, input: Uint8Array, from: number, end: number): void {
  const { bytes } = out;
  const length = end - from;
  let to = out.length;
  if (length <= SHORT_LITERAL) {
    bytes[to++] = (length - 1) << 2;
    for (let at = from; at < end; at++) bytes[to++] = input[at] as number;
    out.length = to;
    return;
  }
  const least = length - 1;
  const width = least < 0x100 ? 1 : least < 0x1_0000 ? 2 : least < 0x100_0000 ? 3 : 4;
  bytes[to++] = (SHORT_LITERAL - 1 + width) << 2;
  for (let place = 0; place < width; place++) bytes[to++] = (least >>> (8 * place)) & 0xff;
  bytes.set(input.subarray(from, end), to);
  out.length = to + length;
}

/** Copies have at most 64 bytes, and at least four. */
function writeCopies(out: Output, offset: number, length: number): void {
  let left = length;
  for (; left >= 68; left -= 64) writeCopy(out, offset, 64);
  if (left > 64) {
    writeCopy(out, offset, 60);
    left -= 60;
  }
  writeCopy(out, offset, left);
}

function writeCopy(out: Output, offset: number, length: number): void {
  const { bytes } = out;
  if (length < 12 && offset < 2048) {
    bytes[out.length++] = 1 + ((length - 4) << 2) + ((offset >>> 8) << 5);
    bytes[out.length++] = offset & 0xff;
    return;
  }
  bytes[out.length++] = 2 + ((length - 1) << 2);
  bytes[out.length++] = offset & 0xff;
  bytes[out.length++] = offset >>> 8;
}
