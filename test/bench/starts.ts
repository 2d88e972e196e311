// The time of npm start until it is ready, and its memory at rest without PostgreSQL, beside Node alone.
import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { listProcesses, type Process, startNpm } from "./npm-start.ts";
import { medianOf } from "./race.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** V8 has returned by then what the start alone took. */
const AT_REST_AFTER_MS = 12_000;
const MOST_MEMORY_MB = 420;

/** Measures starts on one data folder that is there; the first makes it, and fills Node's cache of compiled code. */
export async function run(): Promise<string[]> {
  const dataDir = await makeTemporaryDataFolder("broadsheet-bench-");
  const [ready, processor, alone]: [number[], number[], number[]] = [[], [], []];
  try {
    let processes: Process[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const service = await startNpm(ROOT, dataDir);
      const begun = await listProcesses(service.pid);
      if (round === ROUNDS) await delay(AT_REST_AFTER_MS);
      processes = await listProcesses(service.pid);
      await service.stop();
      if (round === 0) continue;
      ready.push(service.readyMs);
      processor.push(1_000 * sum(begun.map((one) => one.processorSeconds)));
      alone.push(await timeNode());
    }
    console.log(`\nmedians of ${ROUNDS} starts: ${medianOf(ready).toFixed(0)} ms until it is ready`);
    console.log(
      `${medianOf(processor).toFixed(0)} ms of the processor, Node alone ${medianOf(alone).toFixed(0)} ms`,
    );
    return reportRest(processes, await restNode());
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** How long Node takes to do nothing. */
async function timeNode(): Promise<number> {
  const startedMs = performance.now();
  await promisify(execFile)(process.execPath, ["-e", "0"]);
  return performance.now() - startedMs;
}

/** The resident memory of Node that does nothing, in MB. */
async function restNode(): Promise<number> {
  const child = execFile(process.execPath, ["-e", "setInterval(() => {}, 1e6)"]);
  try {
    await delay(1_000);
    const status = await readFile(`/proc/${child.pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
  } finally {
    child.kill("SIGKILL");
  }
}

/** Pages of files, above all Node's program, are in memory once for all processes. */
function reportRest(processes: readonly Process[], nodeMb: number): string[] {
  console.log("\nmemory at rest, in MB: resident, and of it anonymous");
  for (const { command, residentMb, anonymousMb } of processes)
    console.log(`${residentMb.toFixed(0)}, ${anonymousMb.toFixed(0)}: ${command.slice(0, 100)}`);
  const resident = sum(processes.map((one) => one.residentMb));
  const files = Math.max(...processes.map((one) => one.residentMb - one.anonymousMb));
  const all = sum(processes.map((one) => one.anonymousMb)) + files;
  const told = `npm start at rest: ${all.toFixed(0)} MB (must ${MOST_MEMORY_MB}), ${(all / nodeMb).toFixed(1)} times Node alone`;
  console.log(`${told}; ${resident.toFixed(0)} MB where shared pages count for each process`);
  return all <= MOST_MEMORY_MB ? [] : [told];
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
