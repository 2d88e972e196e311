import type { AssetRow } from "../../../sql/datasets/assets.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { RawJson } from "../../ground/raw-json.ts";
import { toIso, toIsoOrNull } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";

/** The asset resource (contract section 5 J); numbers in inspection results keep every digit. */
export function presentAsset(deps: Deps, asset: AssetRow) {
  return {
    id: asset.id,
    kind: asset.kind,
    format: asset.format,
    filename: asset.filename,
    bytes: asset.bytes,
    content_sha256: asset.content_sha256,
    readiness: asset.readiness,
    readiness_reason: asset.readiness_reason,
    readiness_progress: presentProgress(asset),
    inspection: asset.inspection === null ? null : new RawJson(asset.inspection),
    hints: asset.hints === null ? [] : new RawJson(asset.hints),
    download_url: addressesOf(deps.config.siteUrl).assetContent(asset.id),
    attached: asset.expires_at === null,
    expires_at: toIsoOrNull(asset.expires_at),
    created_at: toIso(asset.created_at),
    sent_bytes: asset.sent_bytes,
    appended_to: presentBase(asset),
  };
}

/** What was appended to which file; its rows are counted once it is ready. */
function presentBase({ appended_to_asset_id: asset_id, rows_added }: AssetRow) {
  return asset_id === null ? null : { asset_id, rows_added };
}

/** From 0 to 1 while the file is processing, 1 when it is ready, null when it has failed. */
function presentProgress({ readiness, readiness_progress: progress }: AssetRow): number | null {
  if (readiness === "failed") return null;
  // A real of PostgreSQL has seven digits.
  return readiness === "ready" ? 1 : Math.round(progress * 100) / 100;
}
