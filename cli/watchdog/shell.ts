import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { identifyProcess, type ProcessIdentity } from "../../shared/platform/process/processes.ts";
import { nameHolder } from "../embedded/lock.ts";
import { refuseToRun } from "../refusal.ts";

const PROGRAM = join(import.meta.dirname, "watchdog.sh");

/** What the shell does after our death beside ending processes. */
export interface ShellTask {
  dataDir: string;
  announce: boolean;
  temporary: boolean;
}

/** The shell that ends our processes when we are killed; one that dies gets a successor. */
export type Shell = Awaited<ReturnType<typeof openShell>>;

/** Starts the shell. */
export async function openShell(
  task: ShellTask,
  to: {
    log: (message: string, level?: "info" | "warn") => void;
    onLost: (error: Error) => void;
  },
) {
  const watched = new Map<number, ProcessIdentity>();
  let postgres: ProcessIdentity | null = null;
  let stopping = false;
  let child = await launch(task);
  let relaunching: Promise<void> = Promise.resolve();

  const followExit = () =>
    child.once("exit", () => {
      if (!stopping) relaunching = relaunch().catch(to.onLost);
    });
  const relaunch = async () => {
    to.log("the watchdog ended by itself: starting another", "warn");
    child = await launch(task);
    for (const identity of watched.values()) tell(child, "watch", identity);
    if (postgres !== null) tell(child, "postgres", postgres);
    followExit();
  };
  followExit();
  return {
    watch: (identity: ProcessIdentity) => {
      watched.set(identity.pid, identity);
      tell(child, "watch", identity);
    },
    unwatch: (pid: number) => {
      watched.delete(pid);
      tell(child, "unwatch", { pid, startedAt: "" });
    },
    /** The PostgreSQL of now. */
    keep: (identity: ProcessIdentity) => {
      postgres = identity;
      tell(child, "postgres", identity);
    },
    /** Ends the shell, which then does nothing. */
    stop: async () => {
      stopping = true;
      await relaunching;
      await end(child);
    },
  };
}

async function launch({ dataDir, announce, temporary }: ShellTask): Promise<ChildProcess> {
  const says = (given: boolean) => (given ? "yes" : "no");
  const child = spawn("/bin/sh", [PROGRAM, dataDir, says(announce), says(temporary)], {
    // The watchdog has its own session, so that neither Ctrl-C nor the end of the terminal reaches it. It keeps no
    // folder busy.
    detached: true,
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin?.on("error", () => undefined);
  const failed = once(child, "error").then(([error]) => error);
  const identity = child.pid === undefined ? null : await identifyProcess(child.pid);
  if (identity === null) throw refuseToRun(`The watchdog cannot be started: ${await failed}`);
  await nameHolder(dataDir, "watchdog", { ...identity, purpose: "watchdog" });
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.stdin?.write("stop\n");
  await exited;
}

function tell(child: ChildProcess, order: string, { pid, startedAt }: ProcessIdentity): void {
  // The shell reads words, and the time of another system than Linux may stand with more than one blank.
  const words = startedAt.split(" ").filter((word) => word !== "");
  child.stdin?.write(`${[order, pid, ...words].join(" ")}\n`);
}
