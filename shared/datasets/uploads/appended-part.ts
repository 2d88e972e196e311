import { type AssetRow, findAssetById, findReadingIndex } from "../../../sql/datasets/assets.ts";
import type { Deps } from "../../platform/deps.ts";
import type { AppendedPart } from "../../platform/threads/tasks.ts";
import type { InspectedBase } from "../../tables/inspection/csv-continued.ts";

/** The part of an upload that was appended, with what its base was found to be; null for an upload of its own. */
export async function findAppendedPart(
  { pool }: Pick<Deps, "pool">,
  { format, bytes, appended_to_asset_id: baseId, appended_from: from }: AssetRow,
): Promise<AppendedPart | null> {
  if (baseId === null || from === null) return null;
  return { from, end: bytes, base: format === "csv" ? await findInspected({ pool }, baseId) : null };
}

/** What inspection found of a file; null where nothing of it is kept. */
async function findInspected({ pool }: Pick<Deps, "pool">, id: string): Promise<InspectedBase | null> {
  const [row, readingIndex] = await Promise.all([findAssetById(pool, id), findReadingIndex(pool, id)]);
  if (row?.inspection == null || row.hints === null || readingIndex === null) return null;
  return { inspection: JSON.parse(row.inspection), hints: JSON.parse(row.hints), readingIndex };
}
