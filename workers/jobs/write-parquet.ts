import { makeNextParquet } from "../../shared/datasets/parquet/make-parquet.ts";
import type { JobPayload } from "../../shared/platform/jobs/catalogue.ts";
import type { WorkerContext } from "../context.ts";

/** Makes the Parquet files that readers asked for, and those of this file; a late or second run changes nothing. */
export async function writeParquet(
  { deps, threads }: WorkerContext,
  { asset_id }: JobPayload<"write-parquet">,
): Promise<void> {
  await makeNextParquet(deps, threads, asset_id);
}
