/** Runs at most so many works at once; the others wait in order. */
export type Semaphore = <Result>(work: () => Promise<Result>, waitLimit?: WaitLimit) => Promise<Result>;

/** How long a work may wait until it begins. */
export interface WaitLimit {
  /** Asked when the work could begin: whether it waited too long. */
  isOver(waitedMs: number): boolean;
  /** What the work fails with then; it has not begun. */
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
