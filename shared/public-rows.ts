import type { OpenFileRow } from "../sql/public-reads.ts";
import { parseRowsQuery } from "./core/rows/query.ts";
import type { RowsFile, RowsOutcome } from "./core/rows/read.ts";
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
  return await threads.readRows(file.asset_id, toRowsFile(file), parsed.query, limits);
}

function toRowsFile(file: OpenFileRow): RowsFile {
  const inspection = file.inspection === null ? null : JSON.parse(file.inspection);
  return { format: file.format, inspection, tables: readTables(file.tables), bytes: file.bytes };
}
