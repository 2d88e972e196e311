/** Runs at most so many works at once; the others wait in order. */
export type Semaphore = <Result>(work: () => Promise<Result>, patience?: Patience) => Promise<Result>;

/** How long a work may wait for its slot. */
export interface Patience {
  /** Asked when its slot has come: whether it came too late. */
  isOver(waitedMs: number): boolean;
  /** What the work fails with then; it has not begun. */
  failure(): Error;
}

interface Waiting {
  sinceMs: number;
  patience: Patience | undefined;
  begin(): void;
  fail(error: Error): void;
}

/** Makes `count` slots. */
export function createSemaphore(count: number): Semaphore {
  let free = count;
  const waiting: Waiting[] = [];
  const giveOn = () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (!next.patience?.isOver(performance.now() - next.sinceMs)) return next.begin();
      next.fail(next.patience.failure());
    }
    free++;
  };
  return async (work, patience) => {
    if (free > 0) free--;
    else {
      await new Promise<void>((begin, fail) => {
        waiting.push({ sinceMs: performance.now(), patience, begin, fail });
      });
    }
    try {
      return await work();
    } finally {
      giveOn();
    }
  };
}
