/** Runs a limited number of works at once; the others wait in order. */
export type Semaphore = <Result>(work: () => Promise<Result>, waitLimit?: WaitLimit) => Promise<Result>;

/** How long a work may wait until it begins. */
export interface WaitLimit {
  /** Whether the work waited too long; called when it could begin. */
  isOver(waitedMs: number): boolean;
  /** The error of a work that waited too long and has not begun. */
  failure(): Error;
}

interface Waiting {
  sinceMs: number;
  waitLimit: WaitLimit | undefined;
  begin(): void;
  fail(error: Error): void;
}

/** Makes a semaphore that lets `count` works run at once. */
export function createSemaphore(count: number): Semaphore {
  let free = count;
  const waiting: Waiting[] = [];
  const release = () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (!next.waitLimit?.isOver(performance.now() - next.sinceMs)) return next.begin();
      next.fail(next.waitLimit.failure());
    }
    free++;
  };
  return async (work, waitLimit) => {
    if (free > 0) free--;
    else {
      await new Promise<void>((begin, fail) => {
        waiting.push({ sinceMs: performance.now(), waitLimit, begin, fail });
      });
    }
    try {
      return await work();
    } finally {
      release();
    }
  };
}
