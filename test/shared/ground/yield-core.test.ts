import { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { yieldAt, yieldTo } from "../../../shared/ground/yield-core.ts";

const STEPS = 2_000_000;

afterEach(() => yieldTo(null));

/** Works through so many steps in a process that reads so many pages; tells how much of the time does not count. */
function work(pages: Int32Array | null): { tookMs: number; givenMs: number } {
  const begun = new BigInt64Array(new SharedArrayBuffer(8));
  yieldTo(pages && { pages, begun });
  const sinceMs = performance.now();
  let sum = 0;
  for (let step = 0, pause = 0; step < STEPS; step++) {
    if (step >= pause) pause = yieldAt(step);
    sum += Math.sqrt(step);
  }
  expect(sum).toBeGreaterThan(0);
  return { tookMs: performance.now() - sinceMs, givenMs: Number(begun[0]) / 1e6 };
}

const countPages = (count: number) => new Int32Array(new SharedArrayBuffer(4)).fill(count);

test("a loop yields its core for moments, and none where nobody is to have it; what it yields does not count", () => {
  expect(work(null).givenMs).toBe(0);
  const { tookMs, givenMs } = work(countPages(0));
  expect(givenMs).toBeGreaterThan(0);
  expect(givenMs).toBeLessThan(tookMs);
});

test("while a page is read a loop works a small part of the time, and goes on for all that", () => {
  const atRest = work(countPages(0));
  const beside = work(countPages(1));
  expect(beside.givenMs).toBeGreaterThan(atRest.tookMs - atRest.givenMs);
  expect(beside.givenMs).toBeLessThan(beside.tookMs);
});

test("a loop that waits for a page goes on once the page is read", async () => {
  const pages = countPages(1);
  const begun = new SharedArrayBuffer(8);
  const module = new URL("../../../shared/ground/yield-core.ts", import.meta.url).href;
  const script = `
    import { workerData, parentPort } from "node:worker_threads";
    import { yieldAt, yieldTo } from ${JSON.stringify(module)};
    const begun = new BigInt64Array(workerData.begun);
    yieldTo({ pages: workerData.pages, begun });
    const untilMs = performance.now() + 200;
    while (performance.now() < untilMs) yieldAt(0);
    parentPort.postMessage(Number(begun[0]) / 1e6);
    const sinceMs = performance.now();
    while (Atomics.load(workerData.pages, 0) > 0) yieldAt(0);
    parentPort.postMessage(performance.now() - sinceMs);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), {
    workerData: { pages, begun },
  });
  const told: number[] = [];
  worker.on("message", (ms: number) => told.push(ms));
  await expect.poll(() => told.length, { timeout: 20_000 }).toBe(1);
  // Two milliseconds of each two and a bit are the page's.
  expect(told[0]).toBeGreaterThan(100);
  Atomics.store(pages, 0, 0);
  Atomics.notify(pages, 0);
  await expect.poll(() => told.length, { timeout: 20_000 }).toBe(2);
  await worker.terminate();
});
