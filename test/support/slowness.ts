import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

// node test/support/slowness.ts: prints how many times longer this machine takes for the same work, now, than the two
// quiet cores on which `.ci/run` was measured; never less than 1. Both cores work at once, as they do in the tests.

const CORES = 2;
/** What the work takes on those two quiet cores. */
const QUIET_MS = 2_000;
const STARTS = 10;
const ROUNDS = 200;
const ITEMS = 20_000;
const HERE = fileURLToPath(import.meta.url);

if (process.argv[2] === "work") work();
else {
  const begun = performance.now();
  await Promise.all(Array.from({ length: CORES }, workInProcess));
  console.log(Math.max(1, (performance.now() - begun) / QUIET_MS).toFixed(2));
}

/** What tests do most: make objects, read and write JSON, start processes. */
function work(): void {
  for (let round = 0; round < ROUNDS; round++) {
    const items = Array.from({ length: ITEMS }, (_, index) => ({ index, name: `item ${index}` }));
    JSON.parse(JSON.stringify(items));
  }
  for (let start = 0; start < STARTS; start++) spawnSync(process.execPath, ["--eval", ""]);
}

function workInProcess(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [HERE, "work"], { stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`the work ended with ${code}`))));
  });
}
