import { findReadingIndex } from "../sql/assets.ts";
import type { OpenFileRow } from "../sql/public-reads.ts";
import type { RowsOutcome } from "./core/rows/page.ts";
import type { RowsFile } from "./core/rows/plan.ts";
import { parseRowsQuery } from "./core/rows/query.ts";
import type { Deps } from "./deps.ts";
import { validationFailed } from "./errors.ts";
import { readTables } from "./public-creations.ts";
import type { Threads } from "./threads/open.ts";

/** Reads part of a published table (spec: Rows reader); throws 422 for parameters that cannot be read. */
export async function readPublicRows(
  deps: Deps,
  threads: Threads,
  file: OpenFileRow,
  parameters: URLSearchParams,
): Promise<RowsOutcome> {
  const parsed = parseRowsQuery(parameters, deps.config.limits);
  if (!parsed.ok) throw validationFailed(parsed.errors);
  const { rowsPerCall, rowsResponseBytes, jsonTableBytes } = deps.config.limits;
  const limits = { rowsPerCall, rowsResponseBytes, jsonTableBytes };
  const loadIndex = (): Promise<Uint8Array | null> => findReadingIndex(deps.pool, file.asset_id);
  return await threads.readRows(file.asset_id, toRowsFile(file), parsed.query, limits, loadIndex);
}

function toRowsFile(file: OpenFileRow): RowsFile {
  const inspection = file.inspection === null ? null : JSON.parse(file.inspection);
  return { format: file.format, inspection, tables: readTables(file.tables), bytes: file.bytes };
}
