import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import { workInPlace } from "./places.ts";

/**
 * Opens the background of a process: work that goes on after the call that began it, such as a request that waits for
 * somebody's server. Without works it holds nothing open.
 */
export function openBackgroundTasks() {
  const works = new Set<Promise<void>>();
  const stop = new AbortController();
  const idle = async () => {
    while (works.size > 0) await Promise.allSettled(works);
  };
  return {
    /** How many works run. */
    count: () => works.size,
    /** Begins a work, which handles its own failures; its signal aborts when the process stops. */
    begin(work: (signal: AbortSignal) => Promise<void>) {
      const running = workInPlace(null, () => work(stop.signal)).finally(() => works.delete(running));
      works.add(running);
    },
    /** Resolves once no work runs. */
    idle,
    /** Gives the works `graceMs` to end, aborts the others, and waits for their end. */
    async close(graceMs: number) {
      await withTimeout(idle(), graceMs).catch(() => stop.abort());
      await idle();
    },
  };
}
