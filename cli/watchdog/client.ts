import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { ProcessIdentity } from "../../shared/process/processes.ts";
import { refuseToRun } from "../refusal.ts";
import type { FromWatchdog, ToWatchdog, WatchdogTask, WatchedDatabase } from "./protocol.ts";

const PROGRAM = join(import.meta.dirname, "process.ts");
const RELAUNCHES = 3;
const STOPS_WITHIN_MS = 10_000;

/** The options of startWatchdog. */
export interface WatchdogOptions extends Partial<Omit<WatchdogTask, "port">> {
  dataDir: string;
  log: (message: string, level?: "info" | "warn") => void;
  /** Called when neither the watchdog nor a successor can keep PostgreSQL running. */
  onLost: (error: Error) => void;
  /** When aborted, the start stops. */
  signal?: AbortSignal | undefined;
}

/** The parent's handle of its watchdog. */
export interface Watchdog {
  /** The database; null where the watchdog has none. */
  database: WatchedDatabase | null;
  /** The process id of the current watchdog. */
  pid(): number | undefined;
  /** Makes the watchdog end the process too, if this process is killed. */
  watch(identity: ProcessIdentity): void;
  unwatch(identity: ProcessIdentity): void;
  /** Stops PostgreSQL and the watchdog. */
  stop(): Promise<void>;
}

/** Starts a watchdog (design: parent and children) and waits until its database answers; throws a Refusal. */
export async function startWatchdog(options: WatchdogOptions): Promise<Watchdog> {
  const { log, onLost, signal, ...given } = options;
  const task: WatchdogTask = {
    postgres: true,
    announce: false,
    temporary: false,
    settings: {},
    port: null,
    ...given,
  };
  const watched = new Map<number, ProcessIdentity>();
  let stopping = false;
  let { child, database } = await launch(task, log, signal);
  let relaunching: Promise<void> = Promise.resolve();

  const followExit = () =>
    child.once("exit", () => {
      if (!stopping) relaunching = relaunch().catch(onLost);
    });
  const relaunch = async () => {
    log("the watchdog ended by itself: starting another", "warn");
    ({ child } = await launchAgain({ ...task, port: database?.port ?? null }, log));
    for (const identity of watched.values()) tell(child, { type: "watch", identity });
    followExit();
  };
  followExit();
  return {
    database,
    pid: () => child.pid,
    watch: (identity) => {
      watched.set(identity.pid, identity);
      tell(child, { type: "watch", identity });
    },
    unwatch: ({ pid }) => {
      watched.delete(pid);
      tell(child, { type: "unwatch", pid });
    },
    stop: async () => {
      stopping = true;
      await relaunching;
      await stopWatchdog(child);
    },
  };
}

interface Launched {
  child: ChildProcess;
  database: WatchedDatabase | null;
}

async function launchAgain(task: WatchdogTask, log: (message: string) => void): Promise<Launched> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launch(task, log);
    } catch (error) {
      if (attempt === RELAUNCHES) throw error;
    }
  }
}

async function launch(
  task: WatchdogTask,
  log: (message: string) => void,
  signal?: AbortSignal,
): Promise<Launched> {
  const child = spawn(process.execPath, [PROGRAM], {
    // The watchdog has its own session, so that neither Ctrl-C nor the end of the terminal reaches it. It
    // keeps no folder busy.
    detached: true,
    cwd: "/",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const answered = new Promise<Launched>((resolve, reject) => {
    child.on("message", (message: FromWatchdog) => {
      if (message.type === "log") log(message.message);
      if (message.type === "back") log(`PostgreSQL is back as process ${message.database.pid}`);
      if (message.type === "ready") resolve({ child, database: message.database });
      if (message.type === "failed") reject(refuseToRun(message.message));
    });
    child.once("error", (error) => reject(error));
    child.once("exit", () => reject(refuseToRun("PostgreSQL's watchdog ended while starting.")));
  });
  const stop = () => tell(child, { type: "stop" });
  signal?.addEventListener("abort", stop);
  tell(child, { type: "start", task });
  try {
    return await answered;
  } catch (error) {
    await stopWatchdog(child);
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

async function stopWatchdog(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, "exit");
  tell(child, { type: "stop" });
  // PostgreSQL's leash ends PostgreSQL then.
  const timer = setTimeout(() => child.kill("SIGKILL"), STOPS_WITHIN_MS);
  await exited;
  clearTimeout(timer);
}

function tell(child: ChildProcess, message: ToWatchdog): void {
  if (child.connected) child.send(message, () => undefined);
}
