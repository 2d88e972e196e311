import { describe, expect, it } from "vitest";
import {
  createSharedCache,
  type Loans,
  withLoans,
} from "../../../../shared/platform/threads/shared-cache.ts";
import { createRandom } from "../../tables/inspection/generated.ts";

const PLACE = 4_096;

describe("what threads share", () => {
  it("is a copy in one piece of memory, and the memory of the original is free at once", () => {
    const cache = createSharedCache(4 * PLACE);
    const value = {
      name: "a",
      codes: Uint8Array.of(1, 2, 3),
      scaled: { units: Float64Array.of(0.5) },
      ranks: null,
    };
    cache.keep("value", value);
    cache.keep("other", Uint32Array.of(7));
    const [kept, other] = [lend(cache, "value"), lend(cache, "other") as Uint32Array];
    expect(kept).toEqual({
      ...value,
      codes: Uint8Array.of(1, 2, 3),
      scaled: { units: Float64Array.of(0.5) },
    });
    expect(value.codes).toHaveLength(0);
    expect(other.buffer).toBe((kept as typeof value).codes.buffer);
    expect(other.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(other.buffer.byteLength).toBe(4 * PLACE);
  });

  it("makes room for what is newer, but not where something is lent", async () => {
    const cache = createSharedCache(3 * PLACE);
    for (const name of ["a", "b", "c"]) cache.keep(name, filled(name));
    await withLoans(async (loans) => {
      const lent = cache.lend("b", loans);
      cache.lend("a", loans);
      cache.keep("d", filled("d"));
      expect(["a", "b", "c", "d"].filter(cache.has)).toEqual(["a", "b", "d"]);
      cache.keep("b", filled("e"));
      await cache.fill("f", 2 * PLACE, async () => expect.fail("there is no room"));
      expect(lent).toEqual(filled("b"));
    });
    await cache.fill("f", 2 * PLACE, async (bytes) => bytes.fill("f"));
    expect(cache.has("f")).toBe(true);
  });

  it("has its room back where nobody could fill it, and takes nothing that is larger than all of it", async () => {
    const cache = createSharedCache(PLACE);
    const fails = () => Promise.reject(new Error("broken"));
    await expect(cache.fill("a", PLACE, fails)).rejects.toThrow("broken");
    cache.keep("a", filled("a"));
    cache.keep("b", new Uint8Array(PLACE + 1));
    expect(["a", "b"].map(cache.has)).toEqual([true, false]);
  });

  it("never changes while it is lent, whatever comes and goes", () => {
    const random = createRandom(44);
    const cache = createSharedCache(20 * PLACE);
    const lent: Lent[] = [];
    let ended = 0;
    for (let turn = 0; turn < 5_000; turn++) {
      const name = `n${Math.floor(random() * 30)}`;
      if (random() < 0.4) cache.keep(name, make(turn));
      const loans: Loans = [];
      const value = random() < 0.3 ? cache.lend(name, loans) : null;
      if (value) lent.push({ value, loans });
      if (random() < 0.3) ended += giveBack(lent.splice(Math.floor(random() * lent.length), 2));
    }
    expect(ended).toBeGreaterThan(500);
  });
});

const make = (turn: number) => ({ turn, cells: new Uint32Array(1 + (turn % 3_000)).fill(turn) });

interface Lent {
  value: unknown;
  loans: Loans;
}

/** Ends loans of what is as it was, and counts them. */
function giveBack(lent: Lent[]): number {
  for (const { value, loans } of lent) {
    expect(value).toEqual(make((value as ReturnType<typeof make>).turn));
    for (const end of loans) end();
  }
  return lent.length;
}

function lend(cache: ReturnType<typeof createSharedCache>, name: string): unknown {
  const loans: Loans = [];
  const value = cache.lend(name, loans);
  for (const giveBack of loans) giveBack();
  return value;
}

function filled(letter: string): Uint8Array {
  return new Uint8Array(PLACE).fill(letter.charCodeAt(0));
}
