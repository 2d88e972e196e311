import { expect, test } from "vitest";
import { findCommonRun } from "../../../../shared/tables/differences/common-run.ts";
import { runs } from "../../../support/depth.ts";
import { createRandom, type Random } from "../inspection/generated.ts";
import { longestCommon } from "./oracle/expected.ts";

function makeList(random: Random, most: number, values: number): Int32Array {
  const length = Math.floor(random() * (most + 1));
  return Int32Array.from({ length }, () => Math.floor(random() * values));
}

/** Expects pairs that rise in both lists, each of equal numbers; gives their count. */
function countPairs(one: Int32Array, other: Int32Array, first: number[], second: number[]): number {
  const isRising = (places: number[]) =>
    places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
  expect([first.length, isRising(first), isRising(second)]).toEqual([second.length, true, true]);
  expect(first.every((place, at) => other[second[at] ?? -1] === one[place])).toBe(true);
  return first.length;
}

test("a common subsequence has the greatest length", () => {
  const random = createRandom(3);
  for (let made = 0; made < runs(4_000); made++) {
    const values = 1 + Math.floor(random() * 8);
    const [one, other] = [makeList(random, 24, values), makeList(random, 24, values)];
    const longest = longestCommon([...one], [...other]);
    const run = findCommonRun(one, other);
    expect(countPairs(one, other, run.first, run.second), `${one} / ${other}`).toBe(longest);
  }
});

test("long lists of few different numbers that differ little are compared", () => {
  const random = createRandom(5);
  const one = Int32Array.from({ length: 200_000 }, () => Math.floor(random() * 3));
  const other = one.slice();
  for (let times = 0; times < 200; times++) other[Math.floor(random() * other.length)] = 7;
  const run = findCommonRun(one, other);
  expect(countPairs(one, other, run.first, run.second)).toBeGreaterThan(one.length - 201);
});
