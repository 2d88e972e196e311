import { expect, test } from "vitest";
import { openBudget } from "../../../../shared/platform/concurrency/budget.ts";

const ROOMY_MS = 60_000;

test("an amount is taken until it is released, and a second release changes nothing", async () => {
  const budget = openBudget({ most: 10, mostOfOne: 10, waitMs: 20, mostWaiting: 10 });
  const [first, second] = [await budget.take("a", 6), await budget.take("b", 4)];
  await expect(budget.take("c", 1)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 });
  first();
  first();
  (await budget.take("c", 6))();
  second();
  (await budget.take("c", 10))();
});

test("one caller holds its share at most, and holds up nobody else", async () => {
  const budget = openBudget({ most: 10, mostOfOne: 4, waitMs: ROOMY_MS, mostWaiting: 10 });
  const release = await budget.take("a", 4);
  let isWaiting = true;
  const waiting = budget.take("a", 1).then((end) => {
    isWaiting = false;
    return end;
  });
  (await budget.take("b", 4))();
  expect(isWaiting).toBe(true);
  release();
  (await waiting)();
});

test("those that wait begin in their order, each as soon as there is room for it", async () => {
  const budget = openBudget({ most: 3, mostOfOne: 3, waitMs: ROOMY_MS, mostWaiting: 10 });
  const releases = [await budget.take("a", 1), await budget.take("b", 2)];
  const begun: string[] = [];
  const waiting = [3, 1, 1].map(async (amount, place) => {
    const release = await budget.take(`${place}`, amount);
    begun.push(`${place} with ${amount}`);
    release();
  });
  releases[0]?.();
  await Promise.all(waiting.slice(1));
  releases[1]?.();
  await Promise.all(waiting);
  expect(begun).toEqual(["1 with 1", "2 with 1", "0 with 3"]);
});

test("an amount larger than one caller's share counts as the whole share", async () => {
  const budget = openBudget({ most: 4, mostOfOne: 4, waitMs: 20, mostWaiting: 10 });
  const release = await budget.take("a", 1_000);
  await expect(budget.take("b", 1)).rejects.toMatchObject({ status: 503 });
  release();
  (await budget.take("b", 4))();
});

test("a caller who must wait is told at once, and what that frees is its own", async () => {
  const budget = openBudget({ most: 1, mostOfOne: 1, waitMs: ROOMY_MS, mostWaiting: 10 });
  const release = await budget.take("a", 1);
  (await budget.take("b", 1, release))();
});

test("more than so many waiting are refused at once", async () => {
  const budget = openBudget({ most: 1, mostOfOne: 1, waitMs: ROOMY_MS, mostWaiting: 1 });
  const release = await budget.take("a", 1);
  const waiting = budget.take("b", 1);
  await expect(budget.take("c", 1)).rejects.toMatchObject({ status: 503 });
  release();
  (await waiting)();
});
