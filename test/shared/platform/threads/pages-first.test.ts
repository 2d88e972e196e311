import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openPagesFirst } from "../../../../shared/platform/threads/pages-first.ts";

/** Begins to give way, and tells whether that is over. */
function giveWay(pages: ReturnType<typeof openPagesFirst>) {
  const state = { isOver: false };
  const over = pages.giveWay().then(() => {
    state.isOver = true;
  });
  return { state, over };
}

test("a question goes on at once where no page is read", async () => {
  const pages = openPagesFirst();
  const sinceMs = performance.now();
  for (let count = 0; count < 1_000; count++) await pages.giveWay();
  expect(performance.now() - sinceMs).toBeLessThan(1_000);
});

test("questions wait for the last page that is read, and go on one a turn", async () => {
  const pages = openPagesFirst();
  pages.begin();
  pages.begin();
  const [first, second] = [giveWay(pages), giveWay(pages)];
  pages.end();
  await Promise.resolve();
  expect([first.state.isOver, second.state.isOver]).toEqual([false, false]);
  pages.end();
  await Promise.all([first.over, second.over]);
  expect(new Int32Array(pages.underWay)[0]).toBe(0);
});

test("a page that begins meanwhile comes before the next question, which waits no longer than its bound", async () => {
  const pages = openPagesFirst();
  pages.begin();
  const [first, second] = [giveWay(pages), giveWay(pages)];
  pages.end();
  // Begins before the turn in which the first would go on.
  pages.begin();
  await nextTurn();
  // The page never ends: both go on all the same.
  await Promise.all([first.over, second.over]);
  expect(new Int32Array(pages.underWay)[0]).toBe(1);
});
