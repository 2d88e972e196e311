import { isDeepStrictEqual } from "node:util";
import { applyPatch, type Operation } from "fast-json-patch";
import { expect, test } from "vitest";
import { patchJson } from "../../../../shared/tables/differences/patch-json.ts";
import { runs } from "../../../support/depth.ts";
import { createRandom, pick, type Random } from "../inspection/generated.ts";

const NAMES = ["title", "sources", "a/b", "m~n", "", "0", "-", "~1", "références"];
const SCALARS = [null, true, false, 0, -1.5, 1e300, "", "text", "~0/"];

function randomValue(random: Random, depth = 0): unknown {
  const kind = depth > 3 ? 0 : random();
  if (kind < 0.4) return pick(random, SCALARS);
  if (kind < 0.7) return Array.from({ length: random() * 6 }, () => randomValue(random, depth + 1));
  return Object.fromEntries(
    Array.from({ length: random() * 6 }, () => [pick(random, NAMES), randomValue(random, depth + 1)]),
  );
}

/** The same value with some members and items changed, left out or put in. */
function changeValue(value: unknown, random: Random): unknown {
  if (random() < 0.1) return randomValue(random, 2);
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const chance = random();
      if (chance < 0.15) return [];
      return chance < 0.3 ? [randomValue(random, 2), item] : [changeValue(item, random)];
    });
  }
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(() => random() > 0.15);
  return Object.fromEntries(kept.map(([name, member]) => [name, changeValue(member, random)]));
}

test("a patch leads from one value to the other, there and back, as npm fast-json-patch applies it", () => {
  for (let seed = 1; seed <= runs(2_000); seed += 1) {
    const random = createRandom(seed);
    const from = { root: randomValue(random) };
    const to = { root: random() < 0.8 ? changeValue(from.root, random) : randomValue(random) };
    for (const [before, after] of [
      [from, to],
      [to, from],
    ]) {
      const patch = patchJson(before, after) as Operation[];
      expect([seed, applyPatch(structuredClone(before), patch, true).newDocument]).toEqual([seed, after]);
      expect([seed, patch.length === 0]).toEqual([seed, isDeepStrictEqual(before, after)]);
    }
  }
});

test("equal values have an empty patch, whatever the order of their members", () => {
  expect(patchJson({ a: 1, b: [{ c: null, d: 2 }] }, { b: [{ d: 2, c: null }], a: 1 })).toEqual([]);
});

test("an item that comes into a list or leaves it is one operation, and a changed member too", () => {
  expect(patchJson({ entries: ["b", "c"] }, { entries: ["a", "b", "c"] })).toEqual([
    { op: "add", path: "/entries/0", value: "a" },
  ]);
  expect(patchJson({ entries: ["a", "b", "c"] }, { entries: ["a", "c"] })).toEqual([
    { op: "remove", path: "/entries/1" },
  ]);
  expect(
    patchJson({ sources: [{ title: "A", note: null }] }, { sources: [{ title: "B", note: null }] }),
  ).toEqual([{ op: "replace", path: "/sources/0/title", value: "B" }]);
});
