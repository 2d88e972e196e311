import { orderBehindVerdict } from "../../shared/datasets/parquet/order-parquet.ts";
import { findAppendedPart } from "../../shared/datasets/uploads/appended-part.ts";
import { followProgress } from "../../shared/datasets/uploads/inspection-progress.ts";
import { findUploadToInspect } from "../../shared/datasets/uploads/receive-upload.ts";
import { saveVerdict } from "../../shared/datasets/uploads/verdicts.ts";
import { FileMissing } from "../../shared/platform/files/store.ts";
import type { JobPayload } from "../../shared/platform/jobs/catalogue.ts";
import type { WorkerContext } from "../context.ts";

/** Inspects an upload's bytes in a thread and saves the verdict; a late or second run changes nothing. */
export async function inspectAsset(
  { deps, threads }: WorkerContext,
  { asset_id, attempt }: JobPayload<"inspect-asset">,
): Promise<void> {
  const asset = await findUploadToInspect(deps, asset_id, attempt);
  if (asset === null) return;
  const progress = followProgress(deps, asset, attempt);
  try {
    const part = await findAppendedPart(deps, asset);
    const verdict = await threads.inspect(asset.id, asset.format, progress.counter, part);
    await progress.stop();
    await saveVerdict(deps, asset, attempt, verdict);
    if (verdict.ok && verdict.readingIndex !== null) await orderBehindVerdict(deps, asset.id);
  } catch (error) {
    // Another run may have refused the file meanwhile and removed its bytes: then this run saves nothing.
    const isOver =
      error instanceof FileMissing && (await findUploadToInspect(deps, asset_id, attempt)) === null;
    if (!isOver) throw error;
  } finally {
    await progress.stop();
  }
}
