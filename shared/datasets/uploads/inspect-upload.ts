import type { Deps } from "../../platform/deps.ts";
import { FileMissing } from "../../platform/files/store.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { findAppendedPart } from "./appended-part.ts";
import { followProgress } from "./inspection-progress.ts";
import { orderBehindVerdict } from "./order-behind-verdict.ts";
import { findUploadToInspect } from "./receive-upload.ts";
import { saveVerdict } from "./verdicts.ts";

/** Inspects an upload's bytes in a thread and saves the verdict; a late or second run changes nothing. */
export async function inspectUpload(
  deps: Deps,
  threads: Threads,
  id: string,
  attempt: number,
): Promise<void> {
  const asset = await findUploadToInspect(deps, id, attempt);
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
    const isOver = error instanceof FileMissing && (await findUploadToInspect(deps, id, attempt)) === null;
    if (!isOver) throw error;
  } finally {
    await progress.stop();
  }
}
