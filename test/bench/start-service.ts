import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { listProcesses, type Process, startNpm } from "./npm-start.ts";
import { medianOf } from "./race.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const ROUNDS = 5;
/** The API collects two seconds after its start, and V8 returns the memory eight seconds later. */
const AT_REST_AFTER_MS = 12_000;
/** 300 MB, where Node alone takes 42. */
const MOST_MEMORY = 7.1;
/** 20 MB. */
const MOST_WATCHDOG = 0.48;
/** Of the version before, in time and in processor time. */
const MOST_OF_BEFORE = 0.5;

/**
 * What the processes of `npm start` take at rest, PostgreSQL apart, beside Node alone; with STARTS_BEFORE, which names a
 * commit, also how long a start takes on a folder that is there, beside that commit.
 */
export async function benchService(nodeAloneMb: number): Promise<string[]> {
  const missed = await benchRest(nodeAloneMb);
  const commit = process.env.STARTS_BEFORE;
  if (commit === undefined || commit === "") {
    console.log("the time of a start: set STARTS_BEFORE to the commit that it is compared with");
    return missed;
  }
  return [...missed, ...(await benchBeside(commit))];
}

async function benchRest(nodeAloneMb: number): Promise<string[]> {
  const dataDir = await makeTemporaryDataFolder("broadsheet-bench-");
  try {
    await (await startNpm(ROOT, dataDir)).stop();
    const service = await startNpm(ROOT, dataDir);
    await delay(AT_REST_AFTER_MS);
    const processes = await listProcesses(service.pid);
    await service.stop();
    return reportRest(processes, nodeAloneMb);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Pages of files, above all Node's program, are in memory once for all processes. */
function reportRest(processes: readonly Process[], nodeAloneMb: number): string[] {
  console.log("\nmemory of npm start at rest, in MB: resident, and of it anonymous");
  for (const { command, residentMb, anonymousMb } of processes)
    console.log(`${residentMb.toFixed(0)}, ${anonymousMb.toFixed(0)}: ${command.slice(0, 100)}`);
  const resident = sum(processes.map((one) => one.residentMb));
  const files = Math.max(...processes.map((one) => one.residentMb - one.anonymousMb));
  const all = sum(processes.map((one) => one.anonymousMb)) + files;
  const watchdog = processes.find(({ command }) => command.includes("watchdog"))?.residentMb ?? Number.NaN;
  console.log(`in all ${all.toFixed(0)}, ${resident.toFixed(0)} where shared pages count for each process`);
  const figures = [
    ["memory of npm start at rest", all / nodeAloneMb, MOST_MEMORY],
    ["memory of the watchdog", watchdog / nodeAloneMb, MOST_WATCHDOG],
  ] as const;
  return figures.flatMap(([name, ratio, most]) => {
    const told = `${name}: ${ratio.toFixed(2)} × node alone (at most ${most})`;
    console.log(told);
    return ratio <= most ? [] : [told];
  });
}

/** Starts of both versions in turn, each on its own folder; the first round fills Node's cache of compiled code. */
async function benchBeside(commit: string): Promise<string[]> {
  const before = await checkOut(commit);
  const trees = [before, ROOT];
  const folders = await Promise.all(trees.map(() => makeTemporaryDataFolder("broadsheet-bench-")));
  const taken = trees.map(() => ({ wall: [] as number[], processor: [] as number[] }));
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [index, tree] of trees.entries()) {
        const service = await startNpm(tree, folders[index] ?? "");
        const seconds = sum((await listProcesses(service.pid)).map((one) => one.processorSeconds));
        await service.stop();
        if (round === 0) continue;
        taken[index]?.wall.push(service.readyMs);
        taken[index]?.processor.push(1_000 * seconds);
      }
    }
  } finally {
    for (const folder of [before, ...folders]) await rm(folder, { recursive: true, force: true });
  }
  return reportBeside(commit, taken);
}

function reportBeside(
  commit: string,
  taken: readonly { wall: readonly number[]; processor: readonly number[] }[],
): string[] {
  return (["wall", "processor"] as const).flatMap((clock) => {
    const [old = [], own = []] = taken.map((times) => times[clock]);
    const ratio = medianOf([...own]) / medianOf([...old]);
    const told = `npm start to ready, ${clock}: ${describe(own)}, ${commit} ${describe(old)}, ${ratio.toFixed(2)} ×`;
    console.log(told);
    return ratio <= MOST_OF_BEFORE ? [] : [told];
  });
}

function describe(times: readonly number[]): string {
  const [least, most] = [Math.min(...times), Math.max(...times)];
  return `${medianOf([...times]).toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)})`;
}

/** The tree of a commit, with the packages of this one. */
async function checkOut(commit: string): Promise<string> {
  const folder = await mkdtemp(join(ROOT, "..", "broadsheet-before-"));
  await chmod(folder, 0o755);
  const archive = execFileSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 1e9 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
