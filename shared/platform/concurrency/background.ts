import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import { workInPlace } from "./places.ts";

/** Work of a process that goes on after the call that began it, such as a request that waits for somebody's server. */
export interface BackgroundTasks {
  /** How many works run. */
  count(): number;
  /** Begins a work, which handles its own failures; its signal aborts when the process stops. */
  begin(work: (signal: AbortSignal) => Promise<void>): void;
  /** Resolves once no work runs. */
  idle(): Promise<void>;
  /** Gives the works `graceMs` to end, aborts the others, and waits for their end. */
  close(graceMs: number): Promise<void>;
}

/** Opens the background of a process; without works it holds nothing open. */
export function openBackgroundTasks(): BackgroundTasks {
  const works = new Set<Promise<void>>();
  const stop = new AbortController();
  const idle = async () => {
    while (works.size > 0) await Promise.allSettled(works);
  };
  return {
    count: () => works.size,
    begin(work) {
      const running = workInPlace(null, () => work(stop.signal)).finally(() => works.delete(running));
      works.add(running);
    },
    idle,
    async close(graceMs) {
      await withTimeout(idle(), graceMs).catch(() => stop.abort());
      await idle();
    },
  };
}
