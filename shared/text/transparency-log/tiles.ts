import { HASH_BYTES, TILE_WIDTH } from "./tree.ts";

/** A tile: `level` 0 has the hashes of leaves; `width` is how many of its hashes are meant, from the left. */
export interface Tile {
  level: number;
  index: number;
  width: number;
}

const MOST_LEVEL = 63;
const LEVEL = /^(?:0|[1-9]\d?)$/;
const INDEX = /^(?:x\d{3}\/)*\d{3}$/;
const WIDTH = /^[1-9]\d{0,2}$/;

/** The hashes that a level of tiles has in a tree of this size. */
export function countHashes(size: number, level: number): number {
  return Math.floor(size / TILE_WIDTH ** level);
}

/** The number of a tile in the form of addresses: 1234067 is x001/x234/067. */
export function writeTileIndex(index: number): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/\d{3}/g) ?? [];
  return groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join("/");
}

/** The address of a tile below `tile/`; `entries` stands there for the bundle of entries with the same number. */
export function writeTilePath(level: number | "entries", index: number, width: number = TILE_WIDTH): string {
  return `${level}/${writeTileIndex(index)}${width === TILE_WIDTH ? "" : `.p/${width}`}`;
}

/** The number and the width in the end of a tile's address, such as `x001/234.p/5`; null for any other text. */
export function readTileIndex(path: string): Omit<Tile, "level"> | null {
  const [digits = "", width = `${TILE_WIDTH}`, ...rest] = path.split(".p/");
  if (!INDEX.test(digits) || !WIDTH.test(width) || rest.length > 0) return null;
  const index = Number(digits.replaceAll(/\D/g, ""));
  // One address for each tile: no leading group of zeroes, and a full tile has no width.
  if (!Number.isSafeInteger(index) || writeTileIndex(index) !== digits) return null;
  const isPartial = path !== digits;
  if (isPartial && Number(width) >= TILE_WIDTH) return null;
  return { index, width: Number(width) };
}

/** The level in a tile's address; null for any other text. */
export function readTileLevel(text: string): number | null {
  return LEVEL.test(text) && Number(text) <= MOST_LEVEL ? Number(text) : null;
}

/** Whether a tree of this size has these hashes. */
export function hasTile(size: number, { level, index, width }: Tile): boolean {
  return index * TILE_WIDTH + width <= countHashes(size, level);
}

/** The hashes in the bytes of a tile. */
export function splitHashes(bytes: Buffer): Buffer[] {
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, at) =>
    bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

/** A bundle of entries: each behind its length in two bytes. */
export function writeBundle(entries: readonly Buffer[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(entry.length);
      return [length, entry];
    }),
  );
}

/** The entries of a bundle; null for bytes that are none. */
export function readBundle(bytes: Buffer): Buffer[] | null {
  const entries: Buffer[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + 2 > bytes.length) return null;
    const end = at + 2 + bytes.readUInt16BE(at);
    if (end > bytes.length) return null;
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return entries;
}
