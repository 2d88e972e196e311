import { once } from "node:events";
import { openThreads } from "../../shared/platform/threads/open.ts";

// node bare-inspections.ts FILES_URL WARM_UP KEYS: an inspect worker without a queue and a database. Inspects the CSV files
// of the keys (JSON) one after the other, those to warm up at once, the others on SIGUSR2; tells how long these took.
const [filesUrl = "", warmUp = "[]", keys = "[]"] = process.argv.slice(2);
const threads = openThreads({
  ...{ filesUrl, maxThreads: 1, drawingThreads: 1 },
  ...{ inspectTimeoutMs: 20_000, rowsTimeoutMs: 10_000, memoryMb: 256 },
});
const begun = once(process, "SIGUSR2");
const staying = setInterval(() => undefined, 60_000);
await inspectAll(JSON.parse(warmUp));
console.log(JSON.stringify({ msg: "bare ready" }));
await begun;
const startedMs = performance.now();
await inspectAll(JSON.parse(keys));
console.log(JSON.stringify({ msg: "bare done", ms: performance.now() - startedMs }));
clearInterval(staying);
await threads.close();

async function inspectAll(all: readonly string[]): Promise<void> {
  for (const key of all) {
    const verdict = await threads.inspect(key, "csv");
    if (!verdict.ok) throw new Error(verdict.reason);
  }
}
