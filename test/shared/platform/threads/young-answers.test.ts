import { join } from "node:path";
import { expect, test } from "vitest";
import { runScript } from "../../../support/run-script.ts";

const POOL = join(import.meta.dirname, "..", "..", "..", "..", "shared", "platform", "threads", "pool.ts");
const TASKS = 300;
const LINES = 300;

// A process that tells how many bytes of each task are old until the next full collection, where its answer has some 7 KB.
const SCRIPT = `
  import { getHeapSpaceStatistics } from "node:v8";
  import { openPool, runBounded } from ${JSON.stringify(POOL)};
  const options = { filesUrl: "file:///tmp", maxThreads: 1, memoryMb: 256, inspectTimeoutMs: 1, rowsTimeoutMs: 1 };
  const pool = openPool(options, { name: "files", most: 1, niceness: 0 });
  const to = Array.from({ length: ${LINES} }, (_, line) => "line " + line * 7919).join("\\n");
  const ask = () => runBounded(pool, { name: "diffInThread", task: { from: "a", to } }, 60_000);
  const readOld = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space").space_used_size;
  for (let count = 0; count < 100; count++) await ask();
  const { linesAdded } = await ask();
  gc();
  const before = readOld();
  for (let count = 0; count < ${TASKS}; count++) await ask();
  console.log(JSON.stringify({ old: Math.round((readOld() - before) / ${TASKS}), linesAdded }));
  await pool.close();
`;

test("the answer of a task is collected while it is young", async () => {
  const options = ["--expose-gc", "--max-semi-space-size=1"];
  const { old, linesAdded } = JSON.parse(await runScript(SCRIPT, { options }));
  expect(linesAdded).toBe(LINES);
  expect(old).toBeLessThan(4_000);
});
