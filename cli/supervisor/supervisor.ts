import type { Config } from "../../shared/platform/config.ts";
import type { ReadyMessage } from "../../shared/platform/process/announce-ready.ts";
import { heedStopSignals } from "../../shared/platform/process/stop-signals.ts";
import { watchNpm } from "../../shared/platform/process/watch-npm.ts";
import { prepareDataFolder } from "../embedded/data-folder.ts";
import { type Lock, waitForEarlierWatchdog } from "../embedded/lock.ts";
import { isPortFree } from "../embedded/port.ts";
import { takeDataFolder } from "../embedded/take-data-folder.ts";
import { refuseToRun, sentenceOf } from "../refusal.ts";
import { startWatchdog, type Watchdog } from "../watchdog/client.ts";
import { type Child, type ChildCommand, keepChild } from "./child.ts";
import { environmentOf, prepareServiceAccount } from "./service-account.ts";

const READY_WITHIN_MS = 60_000;
// The children share 8 of the 10 seconds that a stop may take; PostgreSQL has the rest.
const CHILDREN_STOP_WITHIN_MS = 8000;
const EACH_CHILD_STOPS_WITHIN_MS = 6000;
const LAST_CHILD_KEEPS_MS = 1000;

/** The parts of a service. */
export interface ServiceOptions {
  config: Pick<Config, "dataDir" | "databaseUrl" | "filesUrl" | "removalsFile" | "host" | "port">;
  /** In the order in which they are stopped. */
  children: readonly ChildCommand[];
  /** Whether the data folder goes away at the end, also when this process is killed. */
  temporary?: boolean;
  /** Brings the database to the newest schema, before any child starts. */
  migrate: (databaseUrl: string) => Promise<unknown>;
  /** Gets each line that a child writes; standard output by default. */
  output?: (line: string) => void;
  /** Gets each message about processes; standard error by default. */
  log?: (message: string, level?: "info" | "warn") => void;
  /** Gets the one sentence that says why the service cannot go on; standard error by default. */
  refuse?: (sentence: string) => void;
  /** When aborted, the start stops. */
  signal?: AbortSignal;
  /** How long the children may take to become ready; a minute by default. */
  readyWithinMs?: number;
  env?: NodeJS.ProcessEnv;
}

/** A service that runs. */
export interface Service {
  databaseUrl: string;
  /** The message by which each child told that it is ready, by the child's name. */
  ready: Record<string, ReadyMessage>;
  /** The processes of the service now, by name. */
  pids(): Record<string, number>;
  /** Rejects when the service cannot go on. */
  lost: Promise<never>;
  /** Stops the children in order, then PostgreSQL, within 10 seconds. */
  stop(): Promise<void>;
}

/** Starts data folder, PostgreSQL, migrations and children; throws a Refusal and leaves nothing running on failure. */
async function startService(options: ServiceOptions): Promise<Service> {
  const held: Held = {
    lock: null,
    watchdog: null,
    children: new Map(),
    lost: Promise.withResolvers<never>(),
  };
  held.lost.promise.catch(() => undefined);
  try {
    return await startAll(options, held);
  } catch (error) {
    await stopAll(held);
    throw error;
  }
}

/** Starts the service, calls onReady, and stops on SIGTERM, Ctrl-C, or as soon as onReady returns an exit code. */
export async function runService(
  options: ServiceOptions & { onReady?: (service: Service) => Promise<number | undefined> },
): Promise<number> {
  let service: Service | null = null;
  // On a second signal the process exits at once: the watchdog then ends the processes that still run.
  const listener = await listenForStop(() => process.exit(1));
  listener.signal.addEventListener("abort", () => (options.log ?? logToStandardError)("stopping"));
  try {
    service = await startService({ ...options, signal: listener.signal });
    const stopped = rejectOnAbort(listener.signal);
    const code = await Promise.race([stayUp(service, options.onReady), service.lost, stopped]);
    await service.stop();
    return code;
  } catch (error) {
    await service?.stop();
    if (listener.signal.aborted) return 0;
    (options.refuse ?? logToStandardError)(sentenceOf(error));
    return 1;
  } finally {
    listener.close();
  }
}

interface Held {
  lock: Lock | null;
  watchdog: Watchdog | null;
  children: Map<string, Child>;
  lost: PromiseWithResolvers<never>;
}

async function stayUp(
  service: Service,
  onReady: ((service: Service) => Promise<number | undefined>) | undefined,
): Promise<number> {
  const code = await onReady?.(service);
  return code ?? (await new Promise<number>(() => undefined));
}

async function startAll(options: ServiceOptions, held: Held): Promise<Service> {
  const { config, signal } = options;
  const log = options.log ?? logToStandardError;
  const broken = Promise.race([held.lost.promise, rejectOnAbort(signal)]);
  broken.catch(() => undefined);
  const dataDir = await prepareDataFolder(config.dataDir);
  held.lock = await takeDataFolder(dataDir);
  // Its processes may still hold the port of the API.
  await waitForEarlierWatchdog(dataDir);
  await refuseTakenPort(config);
  const postgres = config.databaseUrl === undefined;
  const onLost = held.lost.reject;
  const { temporary = false } = options;
  held.watchdog = await startWatchdog({
    ...{ dataDir, postgres, announce: postgres, temporary },
    ...{ log, onLost, signal },
  });
  const databaseUrl = config.databaseUrl ?? held.watchdog.database?.url ?? "";
  await Promise.race([options.migrate(databaseUrl), broken]);
  const account = await prepareServiceAccount({ ...config, dataDir }, log);
  const surroundings = {
    account,
    env: {
      ...environmentOf(account, dataDir, options.env ?? process.env),
      DATABASE_URL: databaseUrl,
    },
    output: options.output ?? ((line) => void process.stdout.write(`${line}\n`)),
    log,
    watch: held.watchdog.watch,
    unwatch: held.watchdog.unwatch,
  };
  for (const command of options.children) held.children.set(command.name, keepChild(command, surroundings));
  const ready = await Promise.race([
    untilReady(held.children, options.readyWithinMs ?? READY_WITHIN_MS),
    broken,
  ]);
  return {
    databaseUrl,
    ready,
    pids: () => listPids(held.children),
    lost: held.lost.promise,
    stop: () => stopAll(held),
  };
}

async function refuseTakenPort({ host, port }: ServiceOptions["config"]): Promise<void> {
  const free = await isPortFree(port, host).catch(() => {
    throw refuseToRun(`Nothing can listen on ${host}, port ${port}: correct HOST or PORT.`);
  });
  if (!free)
    throw refuseToRun(`Port ${port} on ${host} is taken by another program: set PORT to a free one.`);
}

async function untilReady(children: ReadonlyMap<string, Child>, withinMs: number): Promise<Service["ready"]> {
  const waiting = [...children].map(async ([name, child]) => [name, await child.ready] as const);
  const late = AbortSignal.timeout(withinMs);
  const messages = await Promise.race([Promise.all(waiting), rejectOnAbort(late)]).catch((error) => {
    const told = `The service was not ready within ${withinMs / 1000} seconds: its log says why.`;
    throw late.aborted ? refuseToRun(told) : error;
  });
  return Object.fromEntries(messages);
}

function listPids(children: ReadonlyMap<string, Child>): Record<string, number> {
  const pids = [...children].map(([name, child]) => [name, child.identity()?.pid] as const);
  return Object.fromEntries(pids.filter((pair): pair is [string, number] => pair[1] !== undefined));
}

/** Stops one after the other: while the API finishes its answers, it needs workers and PostgreSQL. */
async function stopAll(held: Held): Promise<void> {
  const deadline = performance.now() + CHILDREN_STOP_WITHIN_MS;
  for (const child of held.children.values()) {
    const leftMs = Math.max(deadline - performance.now(), LAST_CHILD_KEEPS_MS);
    await child.stop(Math.min(leftMs, EACH_CHILD_STOPS_WITHIN_MS));
  }
  await held.watchdog?.stop();
  held.lock?.release();
}

function logToStandardError(message: string): void {
  console.error(message);
}

function rejectOnAbort(signal: AbortSignal | undefined): Promise<never> {
  const aborted = new Promise<never>((_resolve, reject) => {
    const refuse = () => reject(refuseToRun("Stopped before everything was ready."));
    if (signal?.aborted) refuse();
    signal?.addEventListener("abort", refuse, { once: true });
  });
  aborted.catch(() => undefined);
  return aborted;
}

/**
 * Listens for SIGTERM, Ctrl-C, a closed terminal and the death of npm, and makes a stop request of them, as an abort
 * signal; a second signal calls onForce.
 */
export async function listenForStop(onForce: () => void) {
  const stopping = new AbortController();
  const signals = heedStopSignals(() => stopping.abort(), onForce);
  // The reader of our output may leave before we do.
  process.stdout.on("error", () => undefined);
  const stopLooking = await watchNpm(() => stopping.abort());
  return {
    signal: stopping.signal,
    close: () => {
      signals.close();
      stopLooking();
    },
  };
}
