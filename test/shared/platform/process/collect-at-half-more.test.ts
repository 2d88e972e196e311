import { join } from "node:path";
import { expect, test } from "vitest";
import { runScript } from "../../../support/run-script.ts";

const MODULE = join(
  import.meta.dirname,
  "..",
  "..",
  "..",
  "..",
  "shared",
  "platform",
  "process",
  "collect-at-half-more.ts",
);
const LIVE_MB = 64;
const YOUNG_MB = 8;

// A process that keeps 64 MB, replaces a further 8 MB again and again, so that what it drops is old by then, and tells the
// most that its heap held, in MB, until the whole of it was collected twice.
const SCRIPT = `
  import { PerformanceObserver } from "node:perf_hooks";
  import { setImmediate as turn } from "node:timers/promises";
  import { setFlagsFromString } from "node:v8";
  import { runInNewContext } from "node:vm";
  import { collectAtHalfMore } from ${JSON.stringify(MODULE)};
  const PIECE = 1_024;
  const makePiece = () => Array.from({ length: PIECE / 8 - 4 }, (_, n) => n + 0.5);
  globalThis.live = Array.from({ length: (${LIVE_MB} * 1_024 * 1_024) / PIECE }, makePiece);
  const ring = Array.from({ length: (${YOUNG_MB} * 1_024 * 1_024) / PIECE }, makePiece);
  collectAtHalfMore();
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  let collected = 0;
  new PerformanceObserver((list) => {
    collected += list.getEntries().filter(({ detail }) => detail.kind === 4).length;
  }).observe({ entryTypes: ["gc"] });
  let most = 0;
  for (let at = 0; collected < 2; at = (at + 1) % ring.length) {
    ring[at] = makePiece();
    if (at % 256 > 0) continue;
    most = Math.max(most, process.memoryUsage().heapUsed);
    await turn();
  }
  console.log(Math.round(most / 1_024 / 1_024));
`;

test("a heap is collected once it holds half as much again", async () => {
  const told = await runScript(SCRIPT, { options: ["--max-semi-space-size=4"] });
  // V8 of its own accord lets it grow to 330.
  expect(Number(told)).toBeLessThan((LIVE_MB + YOUNG_MB) * 2);
});
