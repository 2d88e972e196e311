import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { isReadyMessage, type ReadyMessage } from "../../shared/platform/process/announce-ready.ts";
import {
  endProcesses,
  identifyProcess,
  type ProcessIdentity,
} from "../../shared/platform/process/processes.ts";
import type { Account } from "../embedded/account.ts";
import { identityOf } from "../embedded/initialize.ts";
import { refuseToRun } from "../refusal.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const NEWBORN_STOPS_WITHIN_MS = 5000;
/** A child that ran this long is not in a crash loop: its next restart comes fast again. */
const HEALTHY_AFTER_MS = 30_000;

/** A process of the service: what Node runs. It tells by a message that it is ready (`announceReady`). */
export interface ChildCommand {
  name: string;
  args: readonly string[];
}

/** The parent's part of a child. */
export interface ChildSurroundings {
  env: NodeJS.ProcessEnv;
  /** The user that runs the child; null where it is our own. */
  account: Account | null;
  /** Gets each line that the child writes. */
  output: (line: string) => void;
  log: (message: string, level?: "info" | "warn") => void;
  watch: (identity: ProcessIdentity) => void;
  unwatch: (identity: ProcessIdentity) => void;
}

/** A child that comes back when it dies, until stop. */
export type Child = ReturnType<typeof keepChild>;

/** Starts a child process and keeps it running. */
export function keepChild(command: ChildCommand, surroundings: ChildSurroundings) {
  const ready = Promise.withResolvers<ReadyMessage>();
  ready.promise.catch(() => undefined);
  const stopping = new AbortController();
  let current: ProcessIdentity | null = null;

  const live = async (): Promise<string> => {
    const child = spawnChild(command, surroundings, ready.resolve);
    const ended = describeEnd(child);
    current = child.pid === undefined ? null : await identifyProcess(child.pid);
    if (current === null) return await ended;
    surroundings.watch(current);
    // stop() was called while the process was starting.
    if (stopping.signal.aborted) void endProcesses([current], endingSteps(NEWBORN_STOPS_WITHIN_MS));
    const how = await ended;
    surroundings.unwatch(current);
    current = null;
    return how;
  };
  const living = keepLiving(command, surroundings, { live, ready, stopping: stopping.signal });
  return {
    /** The message by which the child first told that it is ready; a Refusal when it ended before. */
    ready: ready.promise,
    /** The process now; null between two lives. */
    identity: () => current,
    /** Asks it to end, and kills it after withinMs. */
    stop: async (withinMs: number) => {
      stopping.abort();
      if (current !== null) await endProcesses([current], endingSteps(withinMs));
      await living;
    },
  };
}

function endingSteps(withinMs: number) {
  return [
    { signal: "SIGTERM", waitMs: withinMs },
    { signal: "SIGKILL", waitMs: 1000 },
  ] as const;
}

interface Life {
  live: () => Promise<string>;
  ready: PromiseWithResolvers<ReadyMessage>;
  stopping: AbortSignal;
}

async function keepLiving(command: ChildCommand, { log }: ChildSurroundings, life: Life): Promise<void> {
  let wasReady = false;
  life.ready.promise.then(
    () => {
      wasReady = true;
    },
    () => undefined,
  );
  let pauseMs = FIRST_PAUSE_MS;
  while (!life.stopping.aborted) {
    const bornAt = performance.now();
    const how = await life.live();
    if (life.stopping.aborted) break;
    if (!wasReady)
      return life.ready.reject(refuseToRun(`The ${command.name} ended while starting (${how}).`));
    if (performance.now() - bornAt > HEALTHY_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
    log(`the ${command.name} ended (${how}): starting again in ${pauseMs} ms`, "warn");
    await delay(pauseMs, undefined, { signal: life.stopping }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
  life.ready.reject(refuseToRun(`The ${command.name} was stopped while starting.`));
}

function spawnChild(
  command: ChildCommand,
  surroundings: ChildSurroundings,
  onReady: (message: ReadyMessage) => void,
): ChildProcess {
  // With the options of this process, as package.json gives them to npm start: V8 keeps up to 96 MB for the young objects of
  // each process, and 6 so, which spares the three of them 80 MB at rest.
  const child = spawn(process.execPath, [...process.execArgv, ...command.args], {
    ...identityOf(surroundings.account),
    env: { ...surroundings.env, BROADSHEET_PARENT_PIPE: "1" },
    // The child has its own session: Ctrl-C goes to the parent alone, which stops the children in order.
    detached: true,
    stdio: ["pipe", "pipe", "inherit", "ipc"],
  });
  child.stdin?.on("error", () => undefined);
  child.on("message", (message) => {
    if (isReadyMessage(message)) onReady(message);
  });
  if (child.stdout !== null) createInterface({ input: child.stdout }).on("line", surroundings.output);
  return child;
}

function describeEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
}
