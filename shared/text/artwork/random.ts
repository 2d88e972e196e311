import { createHash } from "node:crypto";

/** A source of numbers that is the same for the same key, everywhere and always. */
export type Random = ReturnType<typeof seedRandom>;

/** Random numbers from a key: sfc32, seeded with the key's SHA-256. */
export function seedRandom(key: string) {
  const next = startSfc32(createHash("sha256").update(key).digest());
  const between = (low = 0, high = 1) => low + next() * (high - low);
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    /** A number from `low` (0) up to, but not, `high` (1). */
    between,
    /** A whole number from `low` to `high`, both included. */
    whole,
    /** One of a list that is not empty. */
    pick: <Item>(list: readonly [Item, ...Item[]]) => list[whole(0, list.length - 1)] ?? list[0],
    /** True in `share` of all cases. */
    chance: (share: number) => next() < share,
    /** The list in another order. */
    shuffle: <Item>(list: readonly Item[]) => {
      const left = [...list];
      return list.flatMap(() => left.splice(whole(0, left.length - 1), 1));
    },
  };
}

/** Chris Doty-Humphrey's sfc32 (PractRand): 32-bit arithmetic only, so its numbers are the same on every machine. */
function startSfc32(seed: Buffer): () => number {
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => seed.readInt32LE(at)) as [number, number, number, number];
  return () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
}
