import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, rename, rm, stat } from "node:fs/promises";
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
import { addressOf, type Credentials, SOCKET_PORT } from "./credentials.ts";
import { makeSocketFolder } from "./data-folder.ts";
import { canConnect, prepareDatabase } from "./database.ts";
import { clusterFolder, ensureCluster, identityOf } from "./initialize.ts";
import { clearLeftover } from "./leftover.ts";

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
  listen_addresses: "",
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
  /** The folder of the socket of the PostgreSQL before, for processes that still hold its address. */
  socketFolder?: string | undefined;
  /** Settings of PostgreSQL that replace or join ours. */
  settings?: Record<string, string>;
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
  socketFolder: string;
  pid: number;
  /** Resolves when the postmaster has ended, to how it ended, such as "signal SIGKILL". */
  ended: Promise<string>;
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
  const socketFolder = options.socketFolder ?? (await makeSocketFolder(options.dataDir, account));
  return await startUntilItHolds({ ...options, account, binaries, credentials, socketFolder });
}

interface Prepared extends EmbeddedOptions {
  account: Account | null;
  binaries: PostgresBinaries;
  credentials: Credentials;
  socketFolder: string;
}

async function startUntilItHolds(prepared: Prepared): Promise<EmbeddedPostgres> {
  const deadline = performance.now() + START_AGAIN_FOR_MS;
  for (;;) {
    prepared.signal?.throwIfAborted();
    const started = await startOnce(prepared);
    if (started !== null) return started;
    if (performance.now() >= deadline) {
      const log = join(prepared.dataDir, "postgres.log");
      throw refuseToRun(`PostgreSQL did not start. Its log ${log} says why.`);
    }
    await delay(START_AGAIN_AFTER_MS);
  }
}

async function startOnce(prepared: Prepared): Promise<EmbeddedPostgres | null> {
  const { credentials, dataDir, socketFolder } = prepared;
  const child = await spawnPostmaster(prepared);
  const ended = once(child, "exit").then(([code, signal]) =>
    signal === null ? `exit code ${code}` : `signal ${signal}`,
  );
  const identity = child.pid === undefined ? null : await identifyProcess(child.pid);
  if (identity === null) return null;
  prepared.onSpawned?.(identity);
  const stop = () => stopPostmaster(identity, ended);
  const adminUrl = addressOf(credentials, "postgres", socketFolder, "postgres");
  try {
    if (!(await becomesReady(adminUrl, child, prepared.signal))) return null;
    await prepareDatabase(credentials, socketFolder);
  } catch (error) {
    await stop();
    throw error;
  }
  prepared.log(`PostgreSQL runs in ${clusterFolder(dataDir)}`);
  const url = addressOf(credentials, "broadsheet", socketFolder, "broadsheet");
  const stopForGood = async () => {
    await stop();
    await rm(socketFolder, { recursive: true, force: true });
  };
  return { url, adminUrl, socketFolder, pid: identity.pid, ended, stop: stopForGood };
}

async function spawnPostmaster(prepared: Prepared): Promise<ChildProcess> {
  // A list, in which quotes keep a comma within a path.
  const folders = `"${prepared.socketFolder.replaceAll('"', '""')}"`;
  const place = { unix_socket_directories: folders, port: SOCKET_PORT };
  const settings = { ...SETTINGS, ...prepared.settings, ...place };
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
