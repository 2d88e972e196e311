import { afterAll, expect, test } from "vitest";
import { type Place, workInPlace } from "../../../../shared/platform/concurrency/places.ts";
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

/** Comparisons that go on until the test ends them, asked by requesters of these names. */
function openSlow() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const compare = openComparing(async ({ from, to }) => {
    begun.push(to);
    await new Promise<void>((resolve) => ends.push(resolve));
    return diffTexts(from, to);
  });
  const requester = (key: string) => {
    const leaving = new AbortController();
    const place: Place = {
      requester: () => ({ key, signal: leaving.signal }),
      leaveDuring: (wait) => wait(),
    };
    const ask = (to: string) => workInPlace(place, () => compare({ from: "a", to }));
    return { ask, leave: () => leaving.abort() };
  };
  const endNext = async (count: number) => {
    await expect.poll(() => begun).toHaveLength(count);
    ends.shift()?.();
  };
  return { begun, endNext, requester };
}

test("comparisons take turns: a reader passes the crowd of another, also where that asked for the same first", async () => {
  const { begun, endNext, requester } = openSlow();
  const [crowd, reader] = [requester("crowd"), requester("reader")];
  const asked = ["1", "2", "3", "4"].map((to) => crowd.ask(to));
  const honest = reader.ask("4");
  for (const count of [1, 2]) await endNext(count);
  expect((await honest).linesAdded).toBe(1);
  for (const count of [3, 4]) await endNext(count);
  expect(await Promise.all(asked)).toHaveLength(4);
  expect(begun).toEqual(["1", "4", "2", "3"]);
});

test("a reader who leaves is dropped, and who waits for the same gets it all the same", async () => {
  const { begun, endNext, requester } = openSlow();
  const [busy, first, second] = [requester("busy"), requester("first"), requester("second")];
  const running = busy.ask("1");
  await expect.poll(() => begun).toEqual(["1"]);
  const left = [first.ask("2"), first.ask("3")].map((asked) =>
    expect(asked).rejects.toMatchObject({ status: 503 }),
  );
  const stays = second.ask("2");
  first.leave();
  await Promise.all(left);
  for (const count of [1, 2]) await endNext(count);
  expect((await Promise.all([running, stays])).map(({ linesAdded }) => linesAdded)).toEqual([1, 1]);
  expect(begun).toEqual(["1", "2"]);
});
