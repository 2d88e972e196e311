import { afterAll, expect, test } from "vitest";
import { openThreads } from "../../../../shared/platform/threads/open.ts";
import { diffTexts } from "../../../../shared/tables/differences/diff-texts.ts";

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
