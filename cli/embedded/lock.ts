import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { giveToFolderOwner } from "../../shared/platform/files/folder-owner.ts";
import { identifyProcess, isRunning, type ProcessIdentity } from "../../shared/platform/process/processes.ts";
import { refuseToRun } from "../refusal.ts";
import { writeWhole } from "./credentials.ts";

const POLL_MS = 50;
const SQLITE_BUSY = 5;
/** A watchdog whose parent was killed runs until its processes have ended. */
const EARLIER_WATCHDOG_ENDS_WITHIN_MS = 30_000;

/** The lock of whoever runs PostgreSQL in a data folder. */
const SERVICE_LOCK = "service";

const held = new Set<DatabaseSync>();

/** A process that holds the lock of a data folder, or its watchdog, and its purpose there. */
export interface LockHolder extends ProcessIdentity {
  purpose: "service" | "command" | "watchdog";
}

/** A lock that this process holds until release() or its end. */
export interface Lock {
  release(): void;
}

/**
 * Takes the lock of a data folder, or returns null when another process holds it.
 * The lock is an exclusive transaction on an empty SQLite file: the kernel gives it to one process only and takes
 * it back when that process dies, so kill -9 leaves no stale lock. The file beside it only names the holder.
 */
export async function tryLock(dataDir: string, purpose: "service" | "command"): Promise<Lock | null> {
  const path = join(dataDir, `${SERVICE_LOCK}.lock`);
  let database: DatabaseSync | null = null;
  try {
    await makePrivateFile(path);
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return null;
    throw refuseToRun(
      `The data folder ${dataDir} cannot be written to: give it to this user, or set DATA_DIR to another.`,
    );
  }
  // Without a reference the garbage collector would close the file and release the lock.
  const taken = database;
  held.add(taken);
  const own = await identifyProcess(process.pid);
  if (own !== null) await nameHolder(dataDir, SERVICE_LOCK, { ...own, purpose });
  return {
    release: () => {
      if (held.delete(taken)) taken.close();
    },
  };
}

/**
 * Waits for the watchdog of an earlier start, which may still end that one's processes after a kill. Whoever calls it
 * holds the lock; throws a Refusal where it does not end.
 */
export async function waitForEarlierWatchdog(dataDir: string): Promise<void> {
  const deadline = performance.now() + EARLIER_WATCHDOG_ENDS_WITHIN_MS;
  while ((await readHolder(dataDir, "watchdog")) !== null) {
    if (performance.now() >= deadline)
      throw refuseToRun(
        `An earlier start on ${dataDir} is still ending after it was killed: try again in a minute.`,
      );
    await delay(POLL_MS);
  }
}

/** Reads who held the lock last, or was the watchdog, if that process still runs. */
export async function readHolder(
  dataDir: string,
  name: "service" | "watchdog" = SERVICE_LOCK,
): Promise<LockHolder | null> {
  try {
    const holder: LockHolder = JSON.parse(await readFile(join(dataDir, `${name}.json`), "utf8"));
    return (await isRunning(holder)) ? holder : null;
  } catch {
    return null;
  }
}

/**
 * Makes a file that only this user can read, since every reader can block its lock. Never reopens an existing
 * one: closing a second handle would release the lock.
 */
async function makePrivateFile(path: string): Promise<void> {
  await writeFile(path, "", { mode: 0o600, flag: "wx" }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
  await giveToFolderOwner(path);
}

/** Names this process as the holder of the lock, or one that it starts to outlive it as the watchdog. */
export async function nameHolder(dataDir: string, name: string, holder: LockHolder): Promise<void> {
  await writeWhole(join(dataDir, `${name}.json`), JSON.stringify(holder));
}
