import { chmod, mkdtemp, readdir, readFile, readlink, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findMemoryFolder } from "./memory-folder.ts";
import { until } from "./service-process.ts";

const GONE_WITHIN_MS = 5000;
/** PostgreSQL's programs: as root, PostgreSQL's user needs a copy that it can reach. */
const KEPT = /^broadsheet-postgres-/;

/** The folders for the temporary files and for the databases of a test run, with their leftovers. */
export interface Scratch {
  folder: string;
  /** In memory, where that has room. */
  databases: string;
  /**
   * Names processes that still work in the folders and our files that were not removed; then removes the
   * folders.
   */
  close(): Promise<string[]>;
}

/** Makes the folders; tests find them as TMPDIR and TEST_DATABASES. PostgreSQL's user must be able to work in them. */
export async function openScratch(): Promise<Scratch> {
  const folder = await makeFolder(tmpdir());
  const memory = await findMemoryFolder();
  const databases = memory === null ? folder : await makeFolder(memory);
  return { folder, databases, close: () => closeFolders([...new Set([folder, databases])]) };
}

async function makeFolder(parent: string): Promise<string> {
  const folder = await mkdtemp(join(await realpath(parent), "broadsheet-run-"));
  await chmod(folder, 0o1777);
  return folder;
}

async function closeFolders(folders: readonly string[]): Promise<string[]> {
  const list = async () => (await Promise.all(folders.map(listProcesses))).flat();
  await until(async () => (await list()).length === 0, GONE_WITHIN_MS).catch(() => undefined);
  const processes = [...new Set(await list())];
  const left: string[] = [];
  for (const folder of folders) {
    const names = (await readdir(folder)).filter(
      (name) => name.startsWith("broadsheet-") && !KEPT.test(name),
    );
    left.push(...names.map((name) => `folder ${join(folder, name)}`));
    if (processes.length === 0) await rm(folder, { recursive: true, force: true });
  }
  return [...processes, ...left];
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
