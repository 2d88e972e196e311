// The time of npm start until it is ready, and its memory at rest without PostgreSQL, beside Node alone.
import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { choosePort } from "../../cli/embedded/port.ts";
import { type ServiceProcess, startProcess } from "../support/service-process.ts";
import { medianOf } from "./race.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** V8 has returned by then what the start alone took. */
const AT_REST_AFTER_MS = 12_000;
const MOST_MEMORY_MB = 420;

/** Measures starts on one data folder that is there; the first makes it, and fills Node's cache of compiled code. */
export async function run(): Promise<string[]> {
  const dataDir = await makeTemporaryDataFolder("broadsheet-bench-");
  const [ready, alone]: [number[], number[]] = [[], []];
  try {
    let processes: Process[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const { service, readyMs } = await startNpm(dataDir);
      if (round === ROUNDS) await delay(AT_REST_AFTER_MS);
      processes = await listProcesses(service.pid);
      service.child.kill("SIGTERM");
      await service.ended;
      if (round === 0) continue;
      ready.push(readyMs);
      alone.push(await timeNode());
    }
    const [ours, node] = [medianOf(ready).toFixed(0), medianOf(alone).toFixed(0)];
    console.log(`\nmedians of ${ROUNDS} starts: ${ours} ms until it is ready, Node alone ${node} ms`);
    return reportRest(processes, await restNode());
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Starts the service as `npm start` does, and waits until it is ready. */
async function startNpm(dataDir: string): Promise<{ service: ServiceProcess; readyMs: number }> {
  const startedAt = performance.now();
  const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const [, ...args] = scripts.start.split(" ");
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(await choosePort()) };
  const service = startProcess({ command: process.execPath, args, cwd: ROOT, env });
  while (!service.lines.some(({ msg }) => String(msg).startsWith("Broadsheet is ready"))) {
    if (service.child.exitCode !== null) throw new Error(`npm start ended: ${service.stderr()}`);
    await delay(5);
  }
  return { service, readyMs: performance.now() - startedAt };
}

/** What the kernel tells of a process. */
interface Process {
  command: string;
  residentMb: number;
  anonymousMb: number;
}

/** A process and those below it, without PostgreSQL's own. */
async function listProcesses(pid: number): Promise<Process[]> {
  const command = (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ").trim();
  if (/bin\/postgres\b/.test(command)) return [];
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const readMb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
  const own: Process = {
    command: command.replaceAll("\n", " "),
    residentMb: readMb("VmRSS"),
    anonymousMb: readMb("RssAnon"),
  };
  const below = await Promise.all((await listChildren(pid)).map(listProcesses));
  return [own, ...below.flat()];
}

async function listChildren(pid: number): Promise<number[]> {
  return await new Promise((resolve) => {
    // It ends with 1 where there are none.
    execFile("pgrep", ["-P", String(pid)], (_error, text) =>
      resolve(text.split("\n").filter(Boolean).map(Number)),
    );
  });
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
  const files = Math.max(...processes.map((one) => one.residentMb - one.anonymousMb));
  const all = processes.reduce((sum, one) => sum + one.anonymousMb, files);
  const told = `npm start at rest: ${all.toFixed(0)} MB (must ${MOST_MEMORY_MB}), ${(all / nodeMb).toFixed(1)} times Node alone`;
  console.log(told);
  return all <= MOST_MEMORY_MB ? [] : [told];
}
