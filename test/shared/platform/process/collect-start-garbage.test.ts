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
  "collect-start-garbage.ts",
);
const EVERY_MS = 50;
const TURNS = 12;

// A process that works for most of its time in twelve turns, and then rests. It tells how often garbage was collected
// thoroughly in each of its times.
const SCRIPT = `
  import { PerformanceObserver } from "node:perf_hooks";
  import { setTimeout as delay } from "node:timers/promises";
  import { collectStartGarbage } from ${JSON.stringify(MODULE)};
  const counts = { working: 0, resting: 0 };
  let time = "working";
  let tell = () => undefined;
  const collected = new Promise((resolve) => { tell = resolve; });
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) {
      if (detail.kind !== 4) continue;
      counts[time]++;
      tell();
    }
  }).observe({ entryTypes: ["gc"] });
  collectStartGarbage(${EVERY_MS});
  for (let turn = 0; turn < ${TURNS}; turn++) {
    const end = performance.now() + ${EVERY_MS};
    while (performance.now() < end);
    await delay(1);
  }
  const atWork = { ...counts };
  time = "resting";
  const alive = setInterval(() => undefined, 1_000);
  await collected;
  clearInterval(alive);
  console.log(JSON.stringify({ atWork: atWork.working, atRest: counts.resting > 0 }));
`;

test("the garbage of a start is collected once a process rests, and not while it works", async () => {
  expect(JSON.parse(await runScript(SCRIPT))).toEqual({ atWork: 0, atRest: true });
});
