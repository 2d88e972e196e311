import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { endProcesses, type ProcessIdentity } from "../../shared/process/processes.ts";
import { announceUrl, withdrawUrl } from "../embedded/credentials.ts";
import { EARLIER_WATCHDOG_ENDS_WITHIN_MS, type Lock, stillEnding, waitForLock } from "../embedded/lock.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../embedded/postgres.ts";
import { refuseToRun, sentenceOf } from "../refusal.ts";
import type { FromWatchdog, ToWatchdog, WatchdogTask } from "./protocol.ts";

// The watchdog is a process of its own, tied to its parent by the message channel: when the parent dies, in whatever
// way, the kernel closes the channel, and the watchdog ends the watched processes and PostgreSQL. It also brings
// PostgreSQL back when that dies. If the watchdog dies, PostgreSQL's leash ends PostgreSQL and the parent starts a
// new watchdog, which brings it back on the same port. Parent and watchdog killed at once: the leash ends PostgreSQL,
// the closed pipes end the children. The leash killed too: PostgreSQL runs on until the next start, which ends it first.

const LONGEST_PAUSE_MS = 5000;
const FLAPPING_BELOW_MS = 10_000;

const watched = new Map<number, ProcessIdentity>();
const stopping = new AbortController();
let keeping: Promise<void> = Promise.resolve();
let task: WatchdogTask | null = null;
let lock: Lock | null = null;

process.title = "broadsheet-watchdog";
// A terminal or a service manager may signal every process, and PostgreSQL must outlive the others.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("message", (message: ToWatchdog) => void obey(message));
process.on("disconnect", () => void end(true));

async function obey(message: ToWatchdog): Promise<void> {
  if (message.type === "watch") watched.set(message.identity.pid, message.identity);
  if (message.type === "unwatch") watched.delete(message.pid);
  if (message.type === "stop") await end(false);
  if (message.type === "start") {
    task = message.task;
    keeping = guard(message.task).catch(fail);
  }
}

async function guard(given: WatchdogTask): Promise<void> {
  lock = await waitForLock(given.dataDir, "watchdog", "watchdog", EARLIER_WATCHDOG_ENDS_WITHIN_MS);
  if (lock === null) throw refuseToRun(stillEnding(given.dataDir));
  if (given.postgres) await keepPostgres(given);
  else tell({ type: "ready", database: null });
}

async function keepPostgres(given: WatchdogTask): Promise<void> {
  let type: "ready" | "back" = "ready";
  let port = given.port;
  let pauseMs = 0;
  while (!stopping.signal.aborted) {
    const startedAt = performance.now();
    const running = await start(given, port);
    const { url, adminUrl, pid } = running;
    port = running.port;
    if (given.announce) await announceUrl(given.dataDir, url);
    tell({ type, database: { url, adminUrl, port, pid } });
    type = "back";
    const how = await untilEndedOrStopping(running);
    if (stopping.signal.aborted) return await running.stop();
    tell({ type: "log", message: `PostgreSQL ended by itself (${how}): starting it again` });
    pauseMs =
      performance.now() - startedAt > FLAPPING_BELOW_MS ? 0 : Math.min(pauseMs * 2 + 100, LONGEST_PAUSE_MS);
    await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
}

async function start(given: WatchdogTask, port: number | null): Promise<EmbeddedPostgres> {
  return await startEmbeddedPostgres({
    dataDir: given.dataDir,
    settings: given.settings,
    log: (message) => tell({ type: "log", message }),
    signal: stopping.signal,
    ...(port === null ? {} : { port }),
  });
}

async function untilEndedOrStopping(running: EmbeddedPostgres): Promise<string> {
  return await new Promise<string>((resolve) => {
    const stopped = () => resolve("stopped");
    stopping.signal.addEventListener("abort", stopped, { once: true });
    if (stopping.signal.aborted) stopped();
    void running.ended.then(resolve);
  });
}

async function end(orphaned: boolean): Promise<void> {
  if (stopping.signal.aborted) return;
  // The watched processes see their own pipe close first; the watchdog ends those that ignore it.
  if (orphaned) {
    await endProcesses(
      [...watched.values()],
      [
        { signal: null, waitMs: 3000 },
        { signal: "SIGTERM", waitMs: 2000 },
        { signal: "SIGKILL", waitMs: 2000 },
      ],
    );
  }
  stopping.abort();
  await keeping;
  await cleanUp();
  process.exit(0);
}

async function fail(error: unknown): Promise<void> {
  if (stopping.signal.aborted) return;
  tell({ type: "failed", message: sentenceOf(error) });
  await cleanUp();
  // Lets the message reach the parent, which answers by closing the channel.
  await delay(1000);
  process.exit(1);
}

async function cleanUp(): Promise<void> {
  if (task?.announce) await withdrawUrl(task.dataDir);
  lock?.release();
  if (task?.temporary) await rm(task.dataDir, { recursive: true, force: true });
}

function tell(message: FromWatchdog): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
