import { hash } from "node:crypto";

/** How many hashes a full tile has. */
export const TILE_WIDTH = 256;
export const HASH_BYTES = 32;
/** The root of a tree without entries (RFC 6962, 2.1). */
export const EMPTY_ROOT = hash("sha256", Buffer.alloc(0), "buffer");

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** The hash of an entry as a leaf (RFC 6962, 2.1). */
export function hashLeaf(entry: Uint8Array): Buffer {
  return hash("sha256", Buffer.concat([LEAF, entry]), "buffer");
}

/** The hash of two neighbouring subtrees (RFC 6962, 2.1). */
export function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  return hash("sha256", Buffer.concat([NODE, left, right]), "buffer");
}

/** The root over hashes of subtrees of one size, of which the last one may have fewer entries (RFC 6962, 2.1). */
export function hashTree(hashes: readonly Buffer[]): Buffer {
  if (hashes.length < 2) return hashes[0] ?? EMPTY_ROOT;
  const middle = largestPowerBelow(hashes.length);
  return hashNode(hashTree(hashes.slice(0, middle)), hashTree(hashes.slice(middle)));
}

/** The largest power of two that is smaller than this count of two or more. */
export function largestPowerBelow(count: number): number {
  return 2 ** heightOf(count - 1);
}

/** The height of the largest complete tree with no more entries than this; logarithms are not exact for large ones. */
export function heightOf(count: number): number {
  let height = 0;
  while (2 ** (height + 1) <= count) height++;
  return height;
}

/**
 * The right edge of a tree: for each level of tiles the hashes of its partial tile. The rest of the tree is in full
 * tiles, whose hashes are in the level above.
 */
export type Edge = readonly (readonly Buffer[])[];

/** The hash of a full tile, at its place in the level above. */
interface TileNode {
  level: number;
  index: number;
  hash: Buffer;
}

/** Adds leaves to a tree of this size: the hashes of the tiles that they fill, and the edge and the root afterwards. */
export function growTree(
  size: number,
  edge: Edge,
  leaves: readonly Buffer[],
): { nodes: TileNode[]; edge: Edge; root: Buffer } {
  const grown = edge.map((hashes) => [...hashes]);
  const nodes: TileNode[] = [];
  leaves.forEach((leaf, at) => {
    let index = size + at;
    let hashed = leaf;
    for (let level = 0; ; level++) {
      const tile = grown[level] ?? [];
      grown[level] = tile;
      tile.push(hashed);
      if (tile.length < TILE_WIDTH) break;
      hashed = hashTree(tile);
      tile.length = 0;
      index = Math.floor(index / TILE_WIDTH);
      nodes.push({ level: level + 1, index, hash: hashed });
    }
  });
  return { nodes, edge: grown, root: hashEdge(grown) };
}

/** The root of the tree that has this right edge. */
export function hashEdge(edge: Edge): Buffer {
  const hashLevel = (right: Buffer[], hashes: readonly Buffer[]) =>
    hashes.length === 0 ? right : [hashTree([...hashes, ...right])];
  return hashTree(edge.reduce(hashLevel, []));
}

/** The widths of the partial tiles of a tree, from the leaves up; the last one is not 0. */
export function edgeWidths(size: number): number[] {
  const widths: number[] = [];
  for (let rest = size; rest > 0; rest = Math.floor(rest / TILE_WIDTH)) widths.push(rest % TILE_WIDTH);
  return widths;
}

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
