import type { Deps } from "../shared/deps.ts";
import type { Threads } from "../shared/threads/open.ts";

/** What jobs of this process work with. */
export interface WorkerContext {
  deps: Deps;
  threads: Threads;
}
