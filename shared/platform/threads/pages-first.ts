/** The longest that each step of a question waits for pages, which a process under load reads all the time. */
const MOST_WAIT_MS = 3;

/** Has questions about tables give way to the pages that a process reads at the same time. */
export interface PagesFirst {
  /** A page is read from now on, until `end`. */
  begin(): void;
  end(): void;
  /** Waits until no page is read, 3 milliseconds at most: between the steps of a question on the event loop. */
  giveWay(): Promise<void>;
  /** One 32-bit number: how many pages are read now, for threads (`yieldTo`). */
  underWay: SharedArrayBuffer;
}

/** Opens the count of one process. */
export function openPagesFirst(): PagesFirst {
  const underWay = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const count = new Int32Array(underWay);
  const waiting = new Set<() => void>();
  // One step a turn of the event loop, so that a page that arrived meanwhile begins before the next.
  const proceed = () => {
    const [next] = Atomics.load(count, 0) === 0 ? waiting : [];
    next?.();
    if (next !== undefined && waiting.size > 0) setImmediate(proceed);
  };
  return {
    begin: () => void Atomics.add(count, 0, 1),
    end: () => {
      if (Atomics.sub(count, 0, 1) > 1) return;
      Atomics.notify(count, 0);
      if (waiting.size > 0) setImmediate(proceed);
    },
    giveWay: async () => {
      if (Atomics.load(count, 0) === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, MOST_WAIT_MS);
      waiting.add(resolve);
      await promise;
      clearTimeout(timer);
      waiting.delete(resolve);
    },
    underWay,
  };
}
