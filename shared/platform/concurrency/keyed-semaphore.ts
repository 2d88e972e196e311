import { createSemaphore, type Semaphore } from "./semaphore.ts";

/** A semaphore for each key: works of one key beyond its limit wait in order and hold up no other key. */
export type KeyedSemaphore = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Makes a keyed semaphore that lets `most` works of each key run at once; a key without works takes no
 * memory.
 */
export function createKeyedSemaphore(most: number): KeyedSemaphore {
  const open = new Map<string, { semaphore: Semaphore; users: number }>();
  return async (key, work) => {
    const entry = open.get(key) ?? { semaphore: createSemaphore(most), users: 0 };
    open.set(key, entry);
    entry.users++;
    try {
      return await entry.semaphore(work);
    } finally {
      entry.users--;
      if (entry.users === 0) open.delete(key);
    }
  };
}
