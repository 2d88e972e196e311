import type { Deps } from "../shared/platform/deps.ts";
import type { Threads } from "../shared/platform/threads/open.ts";

/** The services that the jobs of this process share. */
export interface WorkerContext {
  deps: Deps;
  threads: Threads;
}
