import { chmod, mkdtemp, readdir, readFile, readlink, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { findScratchFolder } from "./memory-folder.ts";
import { until } from "./service-process.ts";

const GONE_WITHIN_MS = 5000;
/** PostgreSQL's programs: as root, PostgreSQL's user needs a copy that it can reach. */
const KEPT = /^broadsheet-postgres-/;

/** The folder for the files of a test run, with its leftovers. */
export interface Scratch {
  folder: string;
  /** Names processes that still work in the folder and our files that were not removed; then removes the folder. */
  close(): Promise<string[]>;
}

/** Makes the folder, which tests find as TMPDIR. PostgreSQL's user must be able to work in it. */
export async function openScratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(await realpath(await findScratchFolder()), "broadsheet-run-"));
  await chmod(folder, 0o1777);
  return { folder, close: () => closeFolder(folder) };
}

async function closeFolder(folder: string): Promise<string[]> {
  await until(async () => (await listProcesses(folder)).length === 0, GONE_WITHIN_MS).catch(() => undefined);
  const processes = await listProcesses(folder);
  const names = (await readdir(folder)).filter((name) => name.startsWith("broadsheet-") && !KEPT.test(name));
  if (processes.length === 0) await rm(folder, { recursive: true, force: true });
  return [...processes, ...names.map((name) => `folder ${join(folder, name)}`)].map(
    (one) => `left behind: ${one}`,
  );
}

/** Finds processes by command line, working folder or environment; only where there is a /proc. */
async function listProcesses(folder: string): Promise<string[]> {
  const names = await readdir("/proc").catch(() => []);
  const found = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((pid) => describe(pid, folder)),
  );
  return found.filter((line) => line !== null);
}

async function describe(pid: string, folder: string): Promise<string | null> {
  const read = (name: string) => readFile(join("/proc", pid, name), "utf8").catch(() => "");
  const [command, environment] = await Promise.all([read("cmdline"), read("environ")]);
  const works = await readlink(join("/proc", pid, "cwd")).catch(() => "");
  const isOurs = [command, environment, works].some((text) => text.includes(folder));
  return isOurs ? `process ${pid} ${command.replaceAll("\0", " ").trim()}` : null;
}
