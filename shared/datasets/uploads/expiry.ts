import type { AssetRow } from "../../../sql/datasets/assets.ts";

/** Whether an unattached file's time is over, purged or not. */
export function isExpired(asset: AssetRow, nowMs: number): boolean {
  return asset.expires_at !== null && asset.expires_at <= nowMs;
}
