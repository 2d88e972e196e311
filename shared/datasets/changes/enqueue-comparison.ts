import type { Tx } from "../../../sql/connection/pool.ts";
import { insertComparison, restartComparisons } from "../../../sql/reading/file-diffs.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import type { Deps } from "../../platform/deps.ts";

/** Enqueues the comparison of the files of a dataset's update with those before, in the transaction that publishes it. */
export async function enqueueComparison(
  tx: Tx,
  deps: Deps,
  creation: CreationRow,
  revisionId: string,
): Promise<void> {
  if (creation.type !== "dataset" || creation.first_published_at === null) return;
  if (!(await insertComparison(tx, revisionId, deps.now()))) return;
  await deps.jobs.enqueue(tx, "compare-files", { revision_id: revisionId });
}

/** Enqueues comparisons again whose job was lost and returns the count. */
export async function sweepComparisons(deps: Deps): Promise<number> {
  return await deps.pool.transaction(async (tx) => {
    const ids = await restartComparisons(tx, deps.now());
    for (const id of ids) await deps.jobs.enqueue(tx, "compare-files", { revision_id: id });
    return ids.length;
  });
}
