import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { giveToFolderOwner } from "../../shared/platform/files/folder-owner.ts";
import {
  endProcesses,
  identifyProcess,
  type ProcessIdentity,
} from "../../shared/platform/process/processes.ts";
import { refuseToRun } from "../refusal.ts";
import { type Account, findPostgresAccount, quietEnvironment, refuseUnreachable } from "./account.ts";
import { type PostgresBinaries, providePostgresBinaries } from "./binaries.ts";
import { addressOf, type Credentials } from "./credentials.ts";
import { canConnect, prepareDatabase } from "./database.ts";
import { clusterFolder, ensureCluster, identityOf } from "./initialize.ts";
import { clearLeftover } from "./leftover.ts";
import { choosePort, isPortFree } from "./port.ts";

const READY_POLL_MS = 25;
/** Replaying the log after a crash may take minutes on a busy cluster. */
const READY_WITHIN_MS = 300_000;
/**
 * After kill -9 of the postmaster its sessions need some seconds to notice; until then a new one refuses to
 * start.
 */
const START_AGAIN_FOR_MS = 15_000;
const START_AGAIN_AFTER_MS = 200;
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;

const SETTINGS: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "128MB",
  // A prepared statement keeps the plan of when its tables were small until they are analyzed: a new site's first thousand
  // works come within minutes.
  autovacuum_naptime: "15s",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  // Statements and their values hold people's texts; the log must not.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

/** The options of startEmbeddedPostgres. */
export interface EmbeddedOptions {
  /** A folder that exists, by its real path. */
  dataDir: string;
  /** Gets each message for the operator. */
  log: (message: string) => void;
  /** The port of the PostgreSQL before, for processes that still hold its address. */
  port?: number;
  /** Settings of PostgreSQL that replace or join ours. */
  settings?: Record<string, string>;
  /** The process that ends PostgreSQL after our death; without it PostgreSQL's leash does so at once. */
  watchdogPid?: number;
  /** Told the postmaster as soon as there is one. */
  onSpawned?: (identity: ProcessIdentity) => void;
  /** When aborted, the start gives up and leaves nothing running. */
  signal?: AbortSignal;
}

/** A PostgreSQL that is this process's child. */
export interface EmbeddedPostgres {
  /** The address of the database broadsheet for the role broadsheet, which is no superuser. */
  url: string;
  /** The address of the database postgres for the superuser. */
  adminUrl: string;
  port: number;
  pid: number;
  /** Resolves when the postmaster has ended, to how it ended, such as "signal SIGKILL". */
  ended: Promise<string>;
  /** Tells PostgreSQL's leash the number of a later watchdog. */
  heed(watchdogPid: number): void;
  /** Ends sessions and PostgreSQL: first cleanly, then by force (the next start recovers). */
  stop(): Promise<void>;
}

/** Starts the PostgreSQL of a data folder, made at the first start; throws a Refusal that says what to do. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const account = await findPostgresAccount();
  await refuseUnreachable(account, options.dataDir);
  const binaries = await providePostgresBinaries(account);
  await clearLeftover(clusterFolder(options.dataDir), options.log);
  const credentials = await ensureCluster(options.dataDir, binaries, account);
  return await startUntilItHolds({ ...options, account, binaries, credentials });
}

interface Prepared extends EmbeddedOptions {
  account: Account | null;
  binaries: PostgresBinaries;
  credentials: Credentials;
}

async function startUntilItHolds(prepared: Prepared): Promise<EmbeddedPostgres> {
  const deadline = performance.now() + START_AGAIN_FOR_MS;
  for (;;) {
    prepared.signal?.throwIfAborted();
    const port = prepared.port ?? (await choosePort());
    const started = (await isPortFree(port)) ? await startOnce(prepared, port) : null;
    if (started !== null) return started;
    if (performance.now() >= deadline) {
      const log = join(prepared.dataDir, "postgres.log");
      throw refuseToRun(`PostgreSQL did not start on port ${port}. Its log ${log} says why.`);
    }
    await delay(START_AGAIN_AFTER_MS);
  }
}

async function startOnce(prepared: Prepared, port: number): Promise<EmbeddedPostgres | null> {
  const { credentials, dataDir } = prepared;
  const child = await spawnPostmaster(prepared, port);
  const ended = once(child, "exit").then(([code, signal]) =>
    signal === null ? `exit code ${code}` : `signal ${signal}`,
  );
  const identity = child.pid === undefined ? null : await identifyProcess(child.pid);
  if (identity === null) return null;
  prepared.onSpawned?.(identity);
  const leash = spawnLeash(prepared, identity.pid);
  const heed = (watchdogPid: number) => void leash.stdin?.write(`${watchdogPid}\n`);
  if (prepared.watchdogPid !== undefined) heed(prepared.watchdogPid);
  void ended.then(() => leash.kill("SIGKILL"));
  const stop = () => stopPostmaster(identity, ended);
  const adminUrl = addressOf(credentials, "postgres", port, "postgres");
  try {
    if (!(await becomesReady(adminUrl, child, prepared.signal))) return null;
    await prepareDatabase(credentials, port);
  } catch (error) {
    await stop();
    throw error;
  }
  prepared.log(`PostgreSQL runs in ${clusterFolder(dataDir)} on port ${port}`);
  const url = addressOf(credentials, "broadsheet", port, "broadsheet");
  return { url, adminUrl, port, pid: identity.pid, ended, heed, stop };
}

async function spawnPostmaster(prepared: Prepared, port: number): Promise<ChildProcess> {
  const settings = { ...SETTINGS, ...prepared.settings, port: String(port) };
  const args = ["-D", clusterFolder(prepared.dataDir)];
  for (const [name, value] of Object.entries(settings)) args.push("-c", `${name}=${value}`);
  // The log is a file and no pipe: PostgreSQL must be able to write without a reader, also after our death.
  const log = await openLog(join(prepared.dataDir, "postgres.log"));
  try {
    const child = spawn(prepared.binaries.postgres, args, {
      ...identityOf(prepared.account),
      cwd: clusterFolder(prepared.dataDir),
      env: quietEnvironment(),
      // PostgreSQL has its own session: Ctrl-C in the terminal is for the parent, which stops all in order.
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    child.on("error", (error) => prepared.log(`PostgreSQL cannot be run: ${error.message}`));
    return child;
  } finally {
    await log.close();
  }
}

async function openLog(path: string) {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_LIMIT_BYTES) await rename(path, `${path}.old`);
  const log = await open(path, "a", 0o600);
  await giveToFolderOwner(path);
  return log;
}

/**
 * Waits on our pipe, which names the watchdog, and after our death until that is gone, which lets the processes of the
 * service end first; ends the postmaster where it still runs then.
 */
const LEASH = `
while read -r line; do watchdog=$line; done
runs() { if [ -d /proc/self ]; then [ -d "/proc/$1" ]; else ps -p "$1" >/dev/null; fi; }
left=40
while [ -n "$watchdog" ] && [ "$left" -gt 0 ] && runs "$watchdog"; do left=$((left - 1)); sleep 0.5 || sleep 1; done
read -r pid <postmaster.pid && [ "$pid" = "$1" ] && kill -INT "$1"`;

/** A shell that ends PostgreSQL when we and the watchdog are killed, as PostgreSQL does not watch its parent. */
function spawnLeash(prepared: Prepared, pid: number): ChildProcess {
  const leash = spawn("/bin/sh", ["-c", LEASH, "broadsheet-postgres-leash", String(pid)], {
    ...identityOf(prepared.account),
    cwd: clusterFolder(prepared.dataDir),
    env: quietEnvironment(),
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  leash.stdin?.on("error", () => undefined);
  leash.on("error", (error) => prepared.log(`PostgreSQL has no leash: ${error.message}`));
  return leash;
}

/** Waits until a session opens, whatever the log says; false when the postmaster ended before. */
async function becomesReady(adminUrl: string, child: ChildProcess, signal?: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (child.exitCode === null && child.signalCode === null) {
    signal?.throwIfAborted();
    if (await canConnect(adminUrl)) return true;
    if (performance.now() >= deadline) throw refuseToRun("PostgreSQL did not become ready within 5 minutes.");
    await delay(READY_POLL_MS);
  }
  return false;
}

async function stopPostmaster(identity: ProcessIdentity, ended: Promise<unknown>): Promise<void> {
  // Fast shutdown, then immediate shutdown, then the kernel: each is safe, the later ones cost a recovery.
  const gone = await endProcesses(
    [identity],
    [
      { signal: "SIGINT", waitMs: 5000 },
      { signal: "SIGQUIT", waitMs: 1500 },
      { signal: "SIGKILL", waitMs: 2000 },
    ],
  );
  if (gone) await ended;
}
