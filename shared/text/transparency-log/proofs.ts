import {
  countHashes,
  HASH_BYTES,
  hashNode,
  hashTree,
  heightOf,
  largestPowerBelow,
  splitHashes,
  TILE_WIDTH,
  type Tile,
} from "./tree.ts";

/** Entries from `from` up to, not including, `to`. */
export interface Span {
  from: number;
  to: number;
}

/** The bytes of tiles by level and number. */
export type TileHashes = (level: number, index: number) => Buffer | undefined;

/** The spans whose hashes prove that a tree has an entry, the nearest first (RFC 6962, 2.1.1). */
export function planInclusion(index: number, { from, to }: Span): Span[] {
  if (to - from <= 1) return [];
  const middle = from + largestPowerBelow(to - from);
  const [left, right] = [
    { from, to: middle },
    { from: middle, to },
  ];
  return index < middle ? [...planInclusion(index, left), right] : [...planInclusion(index, right), left];
}

/** The spans whose hashes prove that a tree of `size` begins with that of `before` (RFC 6962, 2.1.2). */
export function planConsistency(before: number, size: number): Span[] {
  if (before === 0 || before === size) return [];
  return planSubproof(before, { from: 0, to: size }, true);
}

function planSubproof(before: number, { from, to }: Span, isWhole: boolean): Span[] {
  if (before === to) return isWhole ? [] : [{ from, to }];
  const middle = from + largestPowerBelow(to - from);
  const [left, right] = [
    { from, to: middle },
    { from: middle, to },
  ];
  return before <= middle
    ? [...planSubproof(before, left, isWhole), right]
    : [...planSubproof(before, right, false), left];
}

/** The tiles of a tree of `size` that the hashes of these spans follow from, each as wide as the tree has it. */
export function tilesOf(spans: readonly Span[], size: number): Tile[] {
  const found = new Map<string, Tile>();
  for (const { level, index } of spans.flatMap(splitSpan).map(placeOf)) {
    const width = Math.min(TILE_WIDTH, countHashes(size, level) - index * TILE_WIDTH);
    found.set(`${level}/${index}`, { level, index, width });
  }
  return [...found.values()];
}

/** The hash of a span, from the tiles that `tilesOf` names. */
export function hashSpan(span: Span, tiles: TileHashes): Buffer {
  const roots = splitSpan(span).map((subtree) => {
    const { level, index, from, to } = placeOf(subtree);
    const hashes = tiles(level, index)?.subarray(from * HASH_BYTES, to * HASH_BYTES);
    if (hashes?.length !== (to - from) * HASH_BYTES) throw new Error(`tile ${level}/${index} lacks hashes`);
    return hashTree(splitHashes(hashes));
  });
  return roots.reduceRight((right, left) => hashNode(left, right));
}

/** A complete subtree: the `index`th of those with 2^`height` entries. */
interface Subtree {
  height: number;
  index: number;
}

/** The complete subtrees of a span, the largest first; a span of a plan begins where its largest one may. */
function splitSpan({ from, to }: Span): Subtree[] {
  const subtrees: Subtree[] = [];
  let at = from;
  while (at < to) {
    const height = heightOf(to - at);
    subtrees.push({ height, index: at / 2 ** height });
    at += 2 ** height;
  }
  return subtrees;
}

/** The tile that has a subtree, and which of its hashes are that subtree's. */
function placeOf({ height, index }: Subtree) {
  const inTile = 2 ** (height % 8);
  const first = index * inTile;
  const tile = Math.floor(first / TILE_WIDTH);
  const from = first - tile * TILE_WIDTH;
  return { level: Math.floor(height / 8), index: tile, from, to: from + inTile };
}

/** The root that follows from a leaf and the hashes of its proof; null where they cannot be one of such a tree. */
export function rootOfInclusion(
  { index, size, leaf }: { index: number; size: number; leaf: Buffer },
  path: readonly Buffer[],
): Buffer | null {
  if (index >= size) return null;
  let [at, last] = [index, size - 1];
  let hashed = leaf;
  for (const sibling of path) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      hashed = hashNode(sibling, hashed);
      while (at % 2 === 0 && at > 0) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
    } else {
      hashed = hashNode(hashed, sibling);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hashed : null;
}

interface Head {
  size: number;
  root: Buffer;
}

/** Whether hashes prove that the tree of one head begins with that of another (RFC 6962, 2.1.2). */
export function provesConsistency(before: Head, after: Head, path: readonly Buffer[]): boolean {
  if (before.size > after.size) return false;
  if (before.size === after.size) return path.length === 0 && before.root.equals(after.root);
  if (before.size === 0) return path.length === 0;
  const isPower = 2 ** heightOf(before.size) === before.size;
  const [first, ...rest] = isPower ? [before.root, ...path] : path;
  if (first === undefined) return false;
  let [at, last] = [before.size - 1, after.size - 1];
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  let [old, young] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      old = hashNode(sibling, old);
      young = hashNode(sibling, young);
      while (at % 2 === 0 && at > 0) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
    } else {
      young = hashNode(young, sibling);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && old.equals(before.root) && young.equals(after.root);
}
