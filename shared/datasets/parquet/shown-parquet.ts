import { findParquet, type ParquetRow } from "../../../sql/datasets/parquet-files.ts";
import type { FileRow } from "../../../sql/datasets/revision-files.ts";
import { addressesOf } from "../../ground/addresses.ts";
import type { Deps } from "../../platform/deps.ts";
import type { ParquetForm } from "../../text/metadata/described-work.ts";
import { readTables } from "../uploads/present-public-file.ts";

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
