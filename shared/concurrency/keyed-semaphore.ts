import { tooMuchToDo } from "../errors.ts";
import { createSemaphore, type Patience, type Semaphore } from "./semaphore.ts";

/**
 * Runs work under a name, a few of one name at once; more of that name waits in order, and holds nobody else up. Work
 * that waited longer than its patience fails before it has begun.
 */
export type KeyedSemaphore = <Result>(
  name: string,
  work: () => Promise<Result>,
  patience?: Patience,
) => Promise<Result>;

const MOST_WAIT_MS = 400;
const RETRY_AFTER_SECONDS = 2;

/**
 * While a process turns requests away, those that it let in before must not wait for seconds either: the ones for whom
 * a turn comes late are turned away too.
 */
export function whileCrowded(isCrowded: () => boolean): Patience {
  return {
    isOver: (waitedMs) => waitedMs > MOST_WAIT_MS && isCrowded(),
    failure: () => tooMuchToDo(RETRY_AFTER_SECONDS),
  };
}

/** Opens the turns of one process, `most` at once for each name. */
export function openKeyedSemaphore(most: number): KeyedSemaphore {
  const open = new Map<string, { inSemaphore: Semaphore; users: number }>();
  return async (name, work, patience) => {
    const turns = open.get(name) ?? { inSemaphore: createSemaphore(most), users: 0 };
    open.set(name, turns);
    turns.users++;
    try {
      return await turns.inSemaphore(work, patience);
    } finally {
      turns.users--;
      if (turns.users === 0) open.delete(name);
    }
  };
}
