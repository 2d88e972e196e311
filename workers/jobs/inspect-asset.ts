import type { JobPayload } from "../../shared/jobs/catalogue.ts";
import { saveVerdict } from "../../shared/upload-verdicts.ts";
import { findUploadToInspect } from "../../shared/uploads.ts";
import type { Workshop } from "../runner.ts";

/** Inspects an upload's bytes in a thread and saves the verdict; a late or second run changes nothing. */
export async function inspectAsset(
  { deps, threads }: Workshop,
  { asset_id, attempt }: JobPayload<"inspect-asset">,
): Promise<void> {
  const asset = await findUploadToInspect(deps, asset_id, attempt);
  if (asset === null) return;
  const verdict = await threads.inspect(asset.id, asset.format);
  await saveVerdict(deps, asset, attempt, verdict);
}
