import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { giveToFolderOwner } from "../../shared/platform/files/folder-owner.ts";
import { identifyProcess, isRunning, type ProcessIdentity } from "../../shared/platform/process/processes.ts";
import { refuseToRun } from "../refusal.ts";

const POLL_MS = 50;
const SQLITE_BUSY = 5;
/** A watchdog whose parent was killed runs until its processes have ended. */
export const EARLIER_WATCHDOG_ENDS_WITHIN_MS = 30_000;

const held = new Set<DatabaseSync>();

/** The holder of a lock: the process and its purpose in the data folder. */
export interface LockHolder extends ProcessIdentity {
  purpose: "service" | "command" | "watchdog";
}

/** A lock that this process holds until release() or its end. */
export interface Lock {
  release(): void;
}

/**
 * Takes the lock NAME of a data folder, or returns null when another process holds it.
 * The lock is an exclusive transaction on an empty SQLite file: the kernel gives it to one process only and takes
 * it back when that process dies, so kill -9 leaves no stale lock. The file beside it only names the holder.
 */
export async function tryLock(
  dataDir: string,
  name: string,
  purpose: LockHolder["purpose"],
): Promise<Lock | null> {
  const path = join(dataDir, `${name}.lock`);
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
  await writeHolder(dataDir, name, purpose);
  return {
    release: () => {
      if (held.delete(taken)) taken.close();
    },
  };
}

/** Takes the lock as soon as it is free, or returns null after timeoutMs. */
export async function waitForLock(
  dataDir: string,
  name: string,
  purpose: LockHolder["purpose"],
  timeoutMs: number,
): Promise<Lock | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const lock = await tryLock(dataDir, name, purpose);
    if (lock !== null || performance.now() >= deadline) return lock;
    await delay(POLL_MS);
  }
}

/** Waits until the last holder of a lock has ended; false when it still runs after timeoutMs. */
export async function untilNobodyHolds(dataDir: string, name: string, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while ((await readHolder(dataDir, name)) !== null) {
    if (performance.now() >= deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/** The sentence about an earlier start that does not end. */
export function stillEnding(dataDir: string): string {
  return `An earlier start on ${dataDir} is still ending after it was killed: try again in a minute.`;
}

/** Reads the last holder of the lock, if that process still runs. */
export async function readHolder(dataDir: string, name: string): Promise<LockHolder | null> {
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

async function writeHolder(dataDir: string, name: string, purpose: LockHolder["purpose"]): Promise<void> {
  const own = await identifyProcess(process.pid);
  if (own !== null) await nameHolder(dataDir, name, { ...own, purpose });
}

/** Names a process as the holder of a lock: this one, or one that it starts to outlive it. */
export async function nameHolder(dataDir: string, name: string, holder: LockHolder): Promise<void> {
  const path = join(dataDir, `${name}.json`);
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, JSON.stringify(holder), { mode: 0o600 });
  await giveToFolderOwner(temporary);
  await rename(temporary, path);
}
