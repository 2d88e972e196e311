import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import {
  identifyProcess,
  type ProcessIdentity,
  waitUntilGone,
} from "../../shared/platform/process/processes.ts";

/** A line of a process, parsed; other lines carry only their text. */
interface Line extends Record<string, unknown> {
  text: string;
}

/** A process under test, with its output so far. */
export interface ServiceProcess {
  child: ChildProcess;
  pid: number;
  lines: Line[];
  stderr(): string;
  /** Waits for a line of standard output with this msg. */
  said(message: string, withinMs?: number): Promise<Line>;
  /**
   * Reads on and drops what it reads: under load a line comes with each request, and a bench that shares the processor
   * with the service would take as much of it for the lines as the service for the answers.
   */
  dropOutput(): void;
  /** Exit code and signal, once it has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** The options of a process under test. */
export interface StartOptions {
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  cwd?: string;
  detached?: boolean;
}

/** Starts a process and reads its output. */
export function startProcess(options: StartOptions): ServiceProcess {
  const { command, args, ...rest } = options;
  const child = spawn(command, [...args], { ...rest, stdio: ["ignore", "pipe", "pipe"] });
  const lines: Line[] = [];
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (text) => lines.push({ ...parse(text), text }));
  const ended = once(child, "exit").then(([code, signal]) => ({ code, signal }));
  return {
    child,
    pid: child.pid ?? 0,
    lines,
    ended,
    stderr: () => stderr,
    dropOutput: () => {
      reader.close();
      child.stdout.resume();
    },
    said: async (message, withinMs = 60_000) => {
      const find = () => lines.find((line) => line.msg === message);
      await until(
        () => find() !== undefined || child.exitCode !== null || child.signalCode !== null,
        withinMs,
      );
      const line = find();
      if (line === undefined) throw new Error(`"${message}" was not said; standard error: ${stderr}`);
      return line;
    },
  };
}

// What takes long is looked at less often, so that looking does not take the processor from what is waited for.
const LOOK_MS = { least: 25, most: 100 };

// Bounds are those of two quiet cores; a machine that others use as well has taken three times as long.
const PATIENCE = 4;

/** Polls until the condition holds; throws after four times `withinMs`, which is enough on two quiet cores. */
export async function until(condition: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
  const begun = performance.now();
  const mostMs = PATIENCE * withinMs;
  while (!(await condition())) {
    const waitedMs = performance.now() - begun;
    if (waitedMs > mostMs) throw new Error(`it did not come true within ${mostMs} ms`);
    await delay(Math.min(LOOK_MS.most, Math.max(LOOK_MS.least, waitedMs / 10)));
  }
}

/** Every process of a running service: parent, watchdog, postmaster and children. */
export async function identifyService(dataDir: string, parent: number, children: readonly number[]) {
  const postmaster = await readPostmasterPid(dataDir);
  const watchdog: number = JSON.parse(await readFile(join(dataDir, "watchdog.json"), "utf8")).pid;
  const found = await Promise.all([parent, watchdog, postmaster, ...children].map(identifyProcess));
  const all = found.filter((one): one is ProcessIdentity => one !== null);
  return { postmaster, watchdog, all };
}

/** The number of the postmaster of a data folder. */
export async function readPostmasterPid(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8");
  return Number(text.split("\n")[0]);
}

/**
 * Waits until all of them are gone and nothing works in the data folder any more; names the processes that
 * are left.
 */
export async function findOrphans(
  dataDir: string,
  all: readonly ProcessIdentity[],
  withinMs = 20_000,
): Promise<string[]> {
  await Promise.all(all.map((one) => waitUntilGone(one, withinMs)));
  // PostgreSQL writes everything to the disk before it goes, and the disk may be busy.
  await until(() => listUsers(dataDir).length === 0, withinMs).catch(() => undefined);
  return listUsers(dataDir);
}

// A process uses the folder when an argument is it or a path within it: a longer text that mentions it does not count.
// Read at once: some hundred processes, asked one promise after the other, cost four times as much.
function listUsers(dataDir: string): string[] {
  const users: string[] = [];
  const isWithin = (path: string) => path === dataDir || path.startsWith(`${dataDir}/`);
  for (const pid of listProcesses()) {
    const command = orNothing(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
    const folder = orNothing(() => readlinkSync(`/proc/${pid}/cwd`));
    const paths = command.split("\0").map((argument) => argument.slice(argument.indexOf("/")));
    if (paths.some(isWithin) || isWithin(folder)) users.push(`${pid} ${command}`);
  }
  return users;
}

function listProcesses(): string[] {
  return existsSync("/proc") ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
}

/** A process may end between the listing and the reading. */
function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
