import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const POLL_MS = 25;
const runFile = promisify(execFile);

/** The identity of a process, even if a later one gets its number: the number and the start time. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** Reads the process that has this number now; null when there is none (a zombie counts as none). */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | null> {
  const startedAt = process.platform === "linux" ? await startFromProc(pid) : await startFromPs(pid);
  return startedAt === null ? null : { pid, startedAt };
}

/** Whether this very process still runs. */
export async function isRunning(identity: ProcessIdentity): Promise<boolean> {
  const now = await identifyProcess(identity.pid);
  return now !== null && now.startedAt === identity.startedAt;
}

/** Waits until the process is gone; false when it still runs after timeoutMs. */
export async function waitUntilGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (await isRunning(identity)) {
    if (performance.now() >= deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/** False when the process is gone already or its number belongs to another. */
async function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): Promise<boolean> {
  if (!(await isRunning(identity))) return false;
  try {
    return process.kill(identity.pid, signal);
  } catch {
    return false;
  }
}

/** Sends each signal in turn to the processes that still run, and waits the signal's time before the next. */
export async function endProcesses(
  identities: readonly ProcessIdentity[],
  steps: readonly { signal: NodeJS.Signals; waitMs: number }[],
): Promise<boolean> {
  for (const { signal, waitMs } of steps) {
    await Promise.all(identities.map((one) => signalProcess(one, signal)));
    const gone = await Promise.all(identities.map((one) => waitUntilGone(one, waitMs)));
    if (gone.every(Boolean)) return true;
  }
  return false;
}

/** The parent and the command name of a process; 0 and nothing when it is gone. */
export async function describeProcess(pid: number): Promise<{ parent: number; command: string }> {
  if (process.platform === "linux") {
    const stat = await readStat(pid);
    return { parent: Number(stat?.fields[1] ?? 0), command: stat?.command ?? "" };
  }
  const [, parent, command] = /^\s*(\d+)\s+(.*?)\s*$/.exec(await askPs(pid, "ppid=,comm=")) ?? [];
  return { parent: Number(parent ?? 0), command: command ?? "" };
}

/** The command line of a process, its parts joined by blanks; empty when it is gone. */
export async function readCommandLine(pid: number): Promise<string> {
  if (process.platform !== "linux") return await askPs(pid, "command=");
  const text = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return text.replaceAll("\0", " ");
}

async function startFromProc(pid: number): Promise<string | null> {
  const stat = await readStat(pid);
  const state = stat?.fields[0];
  return state === undefined || state === "Z" || state === "X" ? null : (stat?.fields[19] ?? null);
}

async function readStat(pid: number): Promise<{ command: string; fields: string[] } | null> {
  const line = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => null);
  if (line === null) return null;
  // The command stands in brackets and may hold blanks and brackets, so the fields count from the last one.
  const end = line.lastIndexOf(")");
  return { command: line.slice(line.indexOf("(") + 1, end), fields: line.slice(end + 2).split(" ") };
}

async function startFromPs(pid: number): Promise<string | null> {
  const line = (await askPs(pid, "stat=,lstart=")).trim();
  return line === "" || line.startsWith("Z") ? null : line.replace(/^\S+\s+/, "");
}

async function askPs(pid: number, columns: string): Promise<string> {
  const { stdout } = await runFile("ps", ["-o", columns, "-p", String(pid)]).catch(() => ({ stdout: "" }));
  return stdout;
}
