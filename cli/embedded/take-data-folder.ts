import { setTimeout as delay } from "node:timers/promises";
import type { Refusal } from "../../shared/ground/errors.ts";
import { refuseToRun } from "../refusal.ts";
import { type Lock, type LockHolder, readHolder, tryLock } from "./lock.ts";

/** How long a start and a command wait for another one. */
export const WAIT_MS = 30_000;
const POLL_MS = 100;

/**
 * Takes the data folder for the service, or throws a Refusal that names its holder. Waits for short commands.
 */
export async function takeDataFolder(dataDir: string): Promise<Lock> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const lock = await tryLock(dataDir, "service");
    if (lock !== null) return lock;
    const holder = await readHolder(dataDir);
    if (holder?.purpose === "service" || performance.now() >= deadline) throw inUse(dataDir, holder);
    await delay(POLL_MS);
  }
}

/** Says who holds the data folder, and what to do. */
export function inUse(dataDir: string, holder: LockHolder | null): Refusal {
  const who = holder === null ? "another process" : `process ${holder.pid}`;
  return refuseToRun(
    `The data folder ${dataDir} is in use by ${who}. Stop that first, or set DATA_DIR to another folder.`,
  );
}
