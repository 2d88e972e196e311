import { createFairSemaphore, type Requester } from "../concurrency/fair-semaphore.ts";
import { openPool, runBounded, type ThreadsOptions } from "./pool.ts";
import type { CheckedTables, CheckTask, Overrun } from "./tasks.ts";

const THREADS = 1;
// Pages and rows come first, as before questions.
const NICENESS = 10;
/** The longest work on all dictionaries of one save. */
export const CHECK_TIMEOUT_MS = 5_000;
const TURNS = { most: THREADS, mostOfKey: 1, mostWaitMs: 15_000 };

/** Looks up the rules of dictionaries in a thread of their own: no reader waits for a save. */
export interface Checking {
  check(requester: Requester, makeTask: () => Promise<CheckTask>): Promise<CheckedTables | Overrun>;
  close(): Promise<void>;
}

/** Opens the thread of checks. */
export function openChecking(options: ThreadsOptions): Checking {
  const pool = openPool(options, { name: "dictionaries", most: THREADS, niceness: NICENESS });
  const inTurn = createFairSemaphore(TURNS);
  const timeoutMs = options.checkTimeoutMs ?? CHECK_TIMEOUT_MS;
  return {
    check: (requester, makeTask) =>
      inTurn(requester, async () =>
        runBounded<CheckedTables>(pool, { name: "checkInThread", task: await makeTask() }, timeoutMs),
      ),
    close: () => pool.close(),
  };
}
