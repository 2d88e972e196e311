import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";

/** How long an answer waits for the store: a hanging one would turn a committed act into a 503 after 30 seconds. */
const WAITS_MS = 1_000;

/**
 * Deletes stored bytes whose release is committed. Never throws: what is committed has happened, and
 * `sweepOrphanFiles` deletes what is left.
 */
export async function discardFiles(deps: Deps, ids: readonly string[]): Promise<void> {
  let left = 0;
  let reason: unknown = null;
  for (const id of ids) {
    await deps.files.delete(id).catch((error: unknown) => {
      left++;
      reason = error;
    });
  }
  if (left > 0)
    deps.log.warn({ files: left, err: reason }, "files are not deleted yet; the sweep deletes them");
}

/** The same within a request: the answer waits a second at most, and the deletion goes on behind it. */
export async function discardFilesSoon(deps: Deps, ids: readonly string[]): Promise<void> {
  const done = new AbortController();
  const discarding = discardFiles(deps, ids).finally(() => done.abort());
  const late = delay(WAITS_MS, undefined, { signal: done.signal, ref: false }).catch(() => undefined);
  await Promise.race([discarding, late]);
}
