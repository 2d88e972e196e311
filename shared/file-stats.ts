import { findAssetById, findReadingIndex, findTableStats, saveStats } from "../sql/assets.ts";
import type { OpenFileRow } from "../sql/public-reads.ts";
import { chooseTableNumber, type RowsRefusal } from "./core/rows/plan.ts";
import type { Deps } from "./deps.ts";
import { toRowsFile } from "./public-rows.ts";
import type { Threads } from "./threads/open.ts";

/** Makes and keeps the statistics of an inspected file; running it twice or late changes nothing. */
export async function measureAsset(deps: Deps, threads: Threads, id: string): Promise<void> {
  const asset = await findAssetById(deps.pool, id);
  if (asset?.readiness !== "ready" || asset.file_deleted_at !== null) return;
  if ((await findTableStats(deps.pool, id, 0)) !== null) return;
  await measure(deps, threads, { ...asset, asset_id: id });
}

type MeasuredFile = Pick<OpenFileRow, "asset_id" | "format" | "inspection" | "tables" | "bytes">;

async function measure(deps: Deps, threads: Threads, file: MeasuredFile): Promise<boolean> {
  const rowsFile = toRowsFile(file);
  const hasTable = rowsFile.inspection?.kind === "table" || rowsFile.tables.length > 0;
  if (!hasTable) return false;
  const readingIndex = await findReadingIndex(deps.pool, file.asset_id);
  const stats = await threads.measure({ key: file.asset_id, file: rowsFile, readingIndex });
  if (stats !== null) await saveStats(deps.pool, file.asset_id, stats);
  return stats !== null;
}

/**
 * The statistics of a published table, as JSON text. Those of a file that was inspected before there were any are
 * made now, once.
 */
export async function readPublicStats(
  deps: Deps,
  threads: Threads,
  file: OpenFileRow,
  parameters: URLSearchParams,
): Promise<{ ok: true; json: string } | RowsRefusal> {
  const chosen = chooseTableNumber(toRowsFile(file), parameters.get("table"));
  if (!chosen.ok) return chosen;
  const known = await findTableStats(deps.pool, file.asset_id, chosen.table);
  if (known !== null) return { ok: true, json: known };
  const json = (await measure(deps, threads, file))
    ? await findTableStats(deps.pool, file.asset_id, chosen.table)
    : null;
  return json === null ? TOO_LARGE : { ok: true, json };
}

const TOO_LARGE: RowsRefusal = {
  ok: false,
  code: "too_large_to_read",
  message: "The statistics of this file take too long to make. Download the file instead.",
  errors: {},
};
