import { expect, test } from "vitest";
import { openRandomFractions } from "../../../shared/ground/ids.ts";

test("random numbers drawn together are all of 256 steps, and no two draws repeat each other", () => {
  const next = openRandomFractions();
  const draw = (count: number) => Array.from({ length: count }, next);
  const [first, second] = [draw(4_096), draw(4_096)];
  for (const value of [...first, ...second]) expect(Number.isInteger(value * 256)).toBe(true);
  expect(Math.min(...first)).toBe(0);
  expect(Math.max(...first)).toBe(255 / 256);
  expect(new Set(first).size).toBeGreaterThan(200);
  expect(second).not.toEqual(first);
});
