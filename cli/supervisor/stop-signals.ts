import { describeProcess, identifyProcess, isRunning, type ProcessIdentity } from "./processes.ts";

const SHELLS = /(^|\/)-?(sh|ash|dash|bash|ksh|zsh|busybox)$/;
/** Under npm one Ctrl-C arrives twice: from the terminal and, shortly after, from npm. */
const SAME_WISH_MS = 1000;
const LOOK_AT_NPM_EVERY_MS = 500;

/** A stop request, as an abort signal. */
export interface StopListener {
  signal: AbortSignal;
  close(): void;
}

/** Listens for SIGTERM, Ctrl-C, a closed terminal and the death of npm; a second signal calls onForce. */
export async function listenForStop(onForce: () => void): Promise<StopListener> {
  const stopping = new AbortController();
  let firstAt: number | null = null;
  const heed = () => {
    if (firstAt === null) {
      firstAt = performance.now();
      stopping.abort();
    } else if (performance.now() - firstAt > SAME_WISH_MS) onForce();
  };
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, heed);
  // The reader of our output may leave before we do.
  process.stdout.on("error", () => undefined);
  const stopLooking = await watchNpm(() => stopping.abort());
  return {
    signal: stopping.signal,
    close: () => {
      for (const signal of signals) process.off(signal, heed);
      stopLooking();
    },
  };
}

/** A kill -9 of `npm start` is meant for us: without this watch the service would run on unnoticed. */
async function watchNpm(onGone: () => void): Promise<() => void> {
  if (process.env.npm_lifecycle_event === undefined) return () => undefined;
  const above = await listCallers();
  const timer = setInterval(async () => {
    const running = await Promise.all(above.map(isRunning));
    if (!running.every(Boolean)) onGone();
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
