import { deleteOldUploadAddresses } from "../../sql/upload-addresses.ts";
import { deleteInBatches } from "../delete-in-batches.ts";
import type { Deps } from "../deps.ts";
import { HOUR_MS } from "../times.ts";

/** A slow upload that began in time ends with its row still there. */
const KEPT_MS = HOUR_MS;

/** Deletes addresses whose time has been over for an hour; returns the count. */
export async function sweepUploadAddresses(deps: Deps): Promise<number> {
  return await deleteInBatches(deps, deps.now() - KEPT_MS, deleteOldUploadAddresses);
}
