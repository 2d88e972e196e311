/**
 * The keys that objects of one kind have had, in order of first appearance. Objects of a kind mostly have the same
 * keys in the same order, so a key is first compared with the one that is expected, byte by byte; only where that
 * fails is it made a text and looked up.
 */
export interface KeyShape {
  names: string[];
  positions: Map<string, number>;
  /** The number of the last object that had the key. */
  stamps: Int32Array;
  /** The keys as written, one after the other, and where each begins. */
  pool: Buffer;
  starts: number[];
}

const FIRST_KEYS = 16;
const FIRST_POOL_BYTES = 256;

/** A shape without keys. */
export function createShape(): KeyShape {
  return {
    names: [],
    positions: new Map(),
    stamps: new Int32Array(FIRST_KEYS),
    pool: Buffer.alloc(FIRST_POOL_BYTES),
    starts: [0],
  };
}

/** Whether the key at a position stands here as it was written before, with its closing quote behind it. */
export function matchesKey(shape: KeyShape, position: number, bytes: Uint8Array, at: number): boolean {
  const { pool, starts } = shape;
  const from = starts[position] as number;
  const length = (starts[position + 1] as number) - from;
  for (let index = 0; index < length; index++) if (bytes[at + index] !== pool[from + index]) return false;
  return bytes[at + length] === 0x22;
}

/** Bytes of the key at a position, as written. */
export function countKeyBytes(shape: KeyShape, position: number): number {
  return (shape.starts[position + 1] as number) - (shape.starts[position] as number);
}

/** The position of a key that stands between two quotes, new or known. */
export function findKey(
  shape: KeyShape,
  bytes: Buffer,
  start: number,
  end: number,
  hasEscape: boolean,
): number {
  const text = bytes.toString("utf8", start, end);
  const name: string = hasEscape ? JSON.parse(`"${text}"`) : text;
  const known = shape.positions.get(name);
  if (known !== undefined) return known;
  const position = shape.names.length;
  shape.names.push(name);
  shape.positions.set(name, position);
  if (position >= shape.stamps.length) shape.stamps = growNumbers(shape.stamps);
  keepBytes(shape, bytes.subarray(start, end));
  return position;
}

function growNumbers(numbers: Int32Array): Int32Array {
  const larger = new Int32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

function keepBytes(shape: KeyShape, key: Uint8Array): void {
  const from = shape.starts.at(-1) ?? 0;
  const end = from + key.length;
  if (end > shape.pool.length) {
    const larger = Buffer.alloc(Math.max(end, 2 * shape.pool.length));
    larger.set(shape.pool.subarray(0, from));
    shape.pool = larger;
  }
  shape.pool.set(key, from);
  shape.starts.push(end);
}
