import { finishErasure, listErasures } from "../../../sql/care/erasures.ts";
import { MINUTE_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { eraseWorksAndTexts } from "./erase-agent.ts";

/** No request and no drawing takes as long, so what read a text before its erasure has stored what it stores. */
const AFTER_MS = 10 * MINUTE_MS;
const ERASURES = 100;

/**
 * The second pass of erasures: goes on with an agent whose erasure was stopped, and deletes what pages and jobs that had
 * read a text before have stored since. Returns the count.
 */
export async function sweepErasures(deps: Deps): Promise<number> {
  const erasures = await listErasures(deps.pool, deps.now() - AFTER_MS, ERASURES);
  for (const { subject_id, kind } of erasures) {
    if (kind !== "agent") continue;
    await eraseWorksAndTexts(deps, subject_id);
  }
  const ids = new Set(erasures.map((erasure) => erasure.subject_id));
  // Going on with an agent may have added drawings to its row.
  for (const erasure of await listErasures(deps.pool, deps.now() - AFTER_MS, ERASURES)) {
    if (ids.has(erasure.subject_id)) await deps.pool.transaction((tx) => finishErasure(tx, erasure));
  }
  return erasures.length;
}
