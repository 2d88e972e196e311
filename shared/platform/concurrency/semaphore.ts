import { waitWithoutPlace } from "./places.ts";

/** Runs a limited number of works at once; the others wait in order. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Makes a semaphore that lets `count` works run at once. */
export function createSemaphore(count: number): Semaphore {
  let free = count;
  const waiting: (() => void)[] = [];
  const release = () => {
    const begin = waiting.shift();
    if (begin === undefined) free++;
    else begin();
  };
  return async (work) => {
    if (free > 0) free--;
    else await waitWithoutPlace(() => new Promise<void>((begin) => waiting.push(begin)));
    try {
      return await work();
    } finally {
      release();
    }
  };
}
