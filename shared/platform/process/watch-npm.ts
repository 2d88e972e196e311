import { describeProcess, identifyProcess, isRunning, type ProcessIdentity } from "./processes.ts";

const SHELLS = /(^|\/)-?(sh|ash|dash|bash|ksh|zsh|busybox)$/;
const LOOK_AT_NPM_EVERY_MS = 500;

/** The scripts of package.json that run a process until it is stopped; npx runs `broadsheet start`. */
const SCRIPTS: ReadonlySet<string> = new Set(["start", "demo", "api", "workers", "npx"]);

/**
 * A kill -9 of `npm run` is meant for the process that it runs, which would go on unnoticed: calls `onGone` then. A process
 * that something else starts, such as systemd, a container or a script of another name, is not watched, and neither is one
 * whose npm is the first process of a container. Returns what ends the watch.
 */
export async function watchNpm(onGone: () => void): Promise<() => void> {
  if (!SCRIPTS.has(process.env.npm_lifecycle_event ?? "")) return () => undefined;
  const above = await listCallers();
  const timer = setInterval(async () => {
    const running = await Promise.all(above.map(isRunning));
    if (running.every(Boolean)) return;
    clearInterval(timer);
    onGone();
  }, LOOK_AT_NPM_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Our parent and, where that is the shell between npm and us, its parent too. */
async function listCallers(): Promise<ProcessIdentity[]> {
  const callers: ProcessIdentity[] = [];
  let pid = process.ppid;
  while (pid > 1 && callers.length < 3) {
    const identity = await identifyProcess(pid);
    if (identity === null) break;
    callers.push(identity);
    const { parent, command } = await describeProcess(pid);
    if (!SHELLS.test(command)) break;
    pid = parent;
  }
  return callers;
}
