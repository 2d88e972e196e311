import type { Deps } from "../platform/deps.ts";
import type { Threads } from "../platform/threads/open.ts";

/** The dependencies of rendering an answer for readers. */
export interface RenderContext {
  deps: Deps;
  threads: Threads;
  /** Reports that a part of the answer, a drawing or statistics, is not there yet. */
  onMissingPart?(): void;
}
