import { tooMuchToDo } from "../../ground/errors.ts";
import { createSemaphore, type Semaphore, type WaitLimit } from "./semaphore.ts";

/** A semaphore for each key: works of one key beyond its limit wait in order and hold up no other key. */
export type KeyedSemaphore = <Result>(
  key: string,
  work: () => Promise<Result>,
  waitLimit?: WaitLimit,
) => Promise<Result>;

const MOST_WAIT_MS = 200;
const RETRY_AFTER_SECONDS = 2;

/**
 * The wait limit of a process that may shed load: while it does, works that already waited for more than 200
 * ms are refused too, so that none of them waits for seconds.
 */
export function whileCrowded(isCrowded: () => boolean): WaitLimit {
  return {
    isOver: (waitedMs) => waitedMs > MOST_WAIT_MS && isCrowded(),
    failure: () => tooMuchToDo(RETRY_AFTER_SECONDS),
  };
}

/**
 * Makes a keyed semaphore that lets `most` works of each key run at once; a key without works takes no
 * memory.
 */
export function createKeyedSemaphore(most: number): KeyedSemaphore {
  const open = new Map<string, { semaphore: Semaphore; users: number }>();
  return async (key, work, waitLimit) => {
    const entry = open.get(key) ?? { semaphore: createSemaphore(most), users: 0 };
    open.set(key, entry);
    entry.users++;
    try {
      return await entry.semaphore(work, waitLimit);
    } finally {
      entry.users--;
      if (entry.users === 0) open.delete(key);
    }
  };
}
