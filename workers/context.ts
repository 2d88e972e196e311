import type { Deps } from "../shared/deps.ts";
import type { Threads } from "../shared/threads/open.ts";

/** The services that the jobs of this process share. */
export interface WorkerContext {
  deps: Deps;
  threads: Threads;
}
