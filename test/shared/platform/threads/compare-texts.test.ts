import { afterAll, expect, test } from "vitest";
import { openComparing } from "../../../../shared/platform/threads/compare-texts.ts";
import { openThreads } from "../../../../shared/platform/threads/open.ts";
import { Overrun } from "../../../../shared/platform/threads/pool.ts";
import {
  diffTexts,
  diffWholeLines,
  type TextDiff,
} from "../../../../shared/tables/differences/diff-texts.ts";

const limits = { inspectTimeoutMs: 20_000, rowsTimeoutMs: 20_000, memoryMb: 256 };
const threads = openThreads({ filesUrl: "file:/tmp", maxThreads: 1, ...limits });

afterAll(async () => await threads.close());

test("texts are compared in a thread, with the result of the pure function", async () => {
  const task = { from: "The gauge rose 1.2 m.\n", to: "The gauge rose 1.3 m.\n" };
  expect(await threads.compareTexts(task)).toEqual(diffTexts(task.from, task.to));
});

test("texts of 100,000 characters with nothing in common are compared, line for line", async () => {
  const other = (word: string) =>
    Array.from({ length: 12_500 }, (_, at) => `${word}${at}`)
      .join("\n")
      .slice(0, 100_000);
  const found = await threads.compareTexts({ from: other("a"), to: other("b") });
  expect([found.linesAdded, found.linesRemoved]).toEqual([12_500, 12_500]);
});

test("concurrent comparisons of one pair are one, and a later one takes none", async () => {
  let count = 0;
  const compare = openComparing(async ({ from, to }): Promise<TextDiff> => {
    count += 1;
    return diffTexts(from, to);
  });
  await Promise.all([compare({ from: "a", to: "b" }), compare({ from: "a", to: "b" })]);
  await compare({ from: "a", to: "b" });
  await compare({ from: "b", to: "a" });
  expect(count).toBe(2);
});

test("a comparison that exceeds its time or memory is of whole lines", async () => {
  for (const overrun of ["time", "memory"] as const) {
    const compare = openComparing(() => Promise.reject(new Overrun(overrun)));
    expect(await compare({ from: "a b\nc\n", to: "a d\nc\n" })).toEqual(
      diffWholeLines("a b\nc\n", "a d\nc\n"),
    );
  }
});
