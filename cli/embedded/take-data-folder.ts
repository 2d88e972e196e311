import { setTimeout as delay } from "node:timers/promises";
import type { Refusal } from "../../shared/ground/errors.ts";
import { refuseToRun } from "../refusal.ts";
import {
  EARLIER_WATCHDOG_ENDS_WITHIN_MS,
  type Lock,
  type LockHolder,
  readHolder,
  stillEnding,
  tryLock,
  untilNobodyHolds,
} from "./lock.ts";

/** The lock of whoever runs PostgreSQL in a data folder. */
export const SERVICE_LOCK = "service";
/** How long a start and a command wait for another one. */
export const WAIT_MS = 30_000;
const POLL_MS = 100;

/**
 * Takes the data folder for the service, or throws a Refusal that names its holder. Waits for short commands.
 */
export async function takeDataFolder(dataDir: string): Promise<Lock> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const lock = await tryLock(dataDir, SERVICE_LOCK, "service");
    if (lock !== null) return await afterEarlierWatchdog(dataDir, lock);
    const holder = await readHolder(dataDir, SERVICE_LOCK);
    if (holder?.purpose === "service" || performance.now() >= deadline) throw inUse(dataDir, holder);
    await delay(POLL_MS);
  }
}

/**
 * Waits for the watchdog of an earlier start, whose processes may still hold the port of the API after a
 * kill.
 */
async function afterEarlierWatchdog(dataDir: string, lock: Lock): Promise<Lock> {
  if (await untilNobodyHolds(dataDir, "watchdog", EARLIER_WATCHDOG_ENDS_WITHIN_MS)) return lock;
  lock.release();
  throw refuseToRun(stillEnding(dataDir));
}

/** Says who holds the data folder, and what to do. */
export function inUse(dataDir: string, holder: LockHolder | null): Refusal {
  const who = holder === null ? "another process" : `process ${holder.pid}`;
  return refuseToRun(
    `The data folder ${dataDir} is in use by ${who}. Stop that first, or set DATA_DIR to another folder.`,
  );
}
