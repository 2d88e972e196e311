import type { Deps } from "./deps.ts";
import type { Threads } from "./threads/open.ts";

/** What an answer for readers is rendered with. */
export interface RenderContext {
  deps: Deps;
  threads: Threads;
  /** Called where something that belongs into an answer, a drawing or statistics, is not there yet. */
  onMissingPart?(): void;
}
