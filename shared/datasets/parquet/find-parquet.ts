import { findParquet, isParquetSettled, type ParquetRow } from "../../../sql/datasets/parquet-files.ts";
import type { FileRow } from "../../../sql/datasets/revision-files.ts";
import type { OpenFileRow } from "../../../sql/reading/open-files.ts";
import { addressesOf } from "../../ground/addresses.ts";
import type { Deps } from "../../platform/deps.ts";
import {
  listWrittenTables,
  MOST_PARQUET_COLUMNS,
  MOST_WRITTEN_TABLES,
  PARQUET_VERSION,
} from "../../tables/parquet/find-kinds.ts";
import {
  hasUnboundedRows,
  NOT_TABULAR,
  type RowsFile,
  type RowsRefusal,
  refuse,
} from "../../tables/rows/plan.ts";
import { nameParquet, type ParquetForm } from "../../text/metadata/described-work.ts";
import { readTables } from "../uploads/public-files.ts";
import { findRowsFile, readTableParameter } from "../uploads/read-rows.ts";

/** The Parquet file of a table of a published file, null while there is none yet, and its name. */
export async function findPublicParquet(
  deps: Deps,
  file: OpenFileRow,
  parameters: URLSearchParams,
): Promise<{ ok: true; stored: ParquetRow | null; filename: string } | RowsRefusal> {
  const rowsFile = await findRowsFile(deps, file);
  const chosen = readTableParameter(rowsFile, parameters);
  if (!chosen.ok) return chosen;
  const { queryBytes } = deps.config.limits;
  const table = listWrittenTables(rowsFile, queryBytes).find(({ number }) => number === chosen.table);
  if (table === undefined) return refuseTable(rowsFile, chosen.table, queryBytes);
  // Asked first: what a worker settles in between is there afterwards.
  const isSettled = await isParquetSettled(deps.pool, file.asset_id, PARQUET_VERSION);
  const stored = await findParquet(deps.pool, file.asset_id, table.number);
  if (stored === null && isSettled) return TOO_LARGE_TO_WRITE;
  const { tables } = rowsFile;
  const list = tables.length > 1 ? (tables[table.number]?.name ?? null) : null;
  return { ok: true, stored, filename: nameParquet(file.filename, list) };
}

function refuseTable(file: RowsFile, table: number, queryBytes: number) {
  const { inspection, tables } = file;
  if (hasUnboundedRows(file, queryBytes))
    return refuse(
      "too_large_to_read",
      `A JSON file over ${queryBytes} bytes is not written as Parquet. Download the file instead.`,
    );
  const columns = inspection?.kind === "table" ? inspection.columns : tables[table]?.columns;
  if (columns?.length === 0)
    return {
      ...NOT_TABULAR,
      message: "The records of this list have no members, and Parquet needs a column.",
    };
  if (table >= MOST_WRITTEN_TABLES)
    return refuse(
      "too_large_to_read",
      `Of a file, the first ${MOST_WRITTEN_TABLES} lists are written as Parquet. Ask for the rows of this one.`,
    );
  return refuse(
    "too_large_to_read",
    `A table of more than ${MOST_PARQUET_COLUMNS} columns is not written as Parquet. Download the file instead.`,
  );
}

/** The refusal of a file whose tables were tried and not written. */
const TOO_LARGE_TO_WRITE = refuse(
  "too_large_to_read",
  "This file takes too long to write as Parquet. Download the file instead.",
);

/** The tables of a revision's files that are made as Parquet, by the file; its page has another version once there are more. */
export function showParquet(
  deps: Deps,
  files: readonly FileRow[],
  made: readonly ParquetRow[],
): Map<string, ParquetForm[]> {
  return new Map(
    files.map((file) => {
      const own = made.filter((row) => row.asset_id === file.asset_id);
      return [file.asset_id, own.map((row) => presentParquet(deps, file, row))];
    }),
  );
}

/** One table of a file, by its place, as Parquet; null where it is not made. */
export async function findShownParquet(
  deps: Deps,
  file: Pick<FileRow, "asset_id" | "tables">,
  table: number,
): Promise<ParquetForm | null> {
  const made = await findParquet(deps.pool, file.asset_id, table);
  return made && presentParquet(deps, file, made);
}

/** A made table as documents and pages name it. */
function presentParquet(
  { config }: Deps,
  { asset_id, tables }: Pick<FileRow, "asset_id" | "tables">,
  { table_number, bytes, content_sha256: sha256 }: ParquetRow,
): ParquetForm {
  const lists = readTables(tables);
  const list = lists.length > 1 ? (lists[table_number]?.name ?? null) : null;
  return { list, url: addressesOf(config.siteUrl).parquet(asset_id, list), bytes, sha256 };
}
