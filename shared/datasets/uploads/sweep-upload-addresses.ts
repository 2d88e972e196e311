import { deleteOldUploadAddresses } from "../../../sql/datasets/upload-addresses.ts";
import { HOUR_MS } from "../../ground/times.ts";
import { deleteInBatches } from "../../platform/delete-in-batches.ts";
import type { Deps } from "../../platform/deps.ts";

/** A slow upload that began in time ends with its row still there. */
const KEPT_MS = HOUR_MS;

/** Deletes addresses whose time has been over for an hour; returns the count. */
export async function sweepUploadAddresses(deps: Deps): Promise<number> {
  return await deleteInBatches(deps, deps.now() - KEPT_MS, deleteOldUploadAddresses);
}
