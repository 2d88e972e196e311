import type { Tx } from "../../../sql/connection/pool.ts";
import { insertComparison } from "../../../sql/reading/file-diffs.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import type { NamedJob } from "../../platform/jobs/queue.ts";

/**
 * Notes, in the transaction that publishes it, that the files of a dataset's update are to be compared with those before;
 * returns the job.
 */
export async function noteComparison(tx: Tx, creation: CreationRow, revisionId: string): Promise<NamedJob[]> {
  if (creation.type !== "dataset" || creation.first_published_at === null) return [];
  if (!(await insertComparison(tx, revisionId))) return [];
  return [{ name: "compare-files", payload: { revision_id: revisionId } }];
}
