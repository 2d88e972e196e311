import { findShownParquet } from "../../../shared/datasets/parquet/shown-parquet.ts";
import type { RenderContext } from "../../../shared/datasets/render-context.ts";
import { listShownFiles } from "../../../shared/datasets/uploads/public-files.ts";
import { findNumberedTable, type NumberedTable } from "../../../shared/datasets/uploads/public-tables.ts";
import { findShownStats } from "../../../shared/datasets/uploads/statistics.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { Requester } from "../../../shared/platform/concurrency/fair-semaphore.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { getOpenCreation } from "../../../shared/reading/public-creation.ts";
import { hasFewColumns, MOST_WRITTEN_TABLES } from "../../../shared/tables/parquet/written-tables.ts";
import { readQuestion } from "../../../shared/tables/questions/read-question.ts";
import type { TableStats } from "../../../shared/tables/statistics/read-stats.ts";
import type { ParquetForm } from "../../../shared/text/metadata/described-work.ts";

type OpenCreation = Awaited<ReturnType<typeof getOpenCreation>>;

/** A table of an open creation whose page is asked for. */
export interface AskedPage {
  creation: OpenCreation;
  file: NumberedTable;
  /** The table that the question names, or the first. */
  table: NumberedTable["tables"][number];
  stats: TableStats | null;
  /** The table as Parquet, where it is made. */
  parquet: ParquetForm | null;
  query: URLSearchParams;
  requester: Requester;
}

/** Finds the table of an address and of its question. */
export async function findAskedPage(
  { deps }: RenderContext,
  creation: OpenCreation,
  asked: { number: string; query: URLSearchParams; requester: Requester },
): Promise<AskedPage> {
  const file = findNumberedTable(await listShownFiles(deps, creation.revision.id), asked.number);
  const { question } = readQuestion(asked.query.toString(), "page", deps.config.limits.rowsPerCall);
  const found = file.tables.findIndex(({ name }) => name === question.table);
  const place = Math.max(found, 0);
  const table = file.tables[place];
  if (table === undefined) throw new Error("a table file has no table");
  const { row } = file;
  const [stats, parquet] = await Promise.all([
    findShownStats(deps, row.asset_id, place),
    findShownParquet(deps, row, place),
  ]);
  return { creation, file, table, stats, parquet, query: asked.query, requester: asked.requester };
}

/** The file as the reader of questions takes it. */
export function toOpenFile({ creation, file: { row } }: Pick<AskedPage, "creation" | "file">) {
  const { asset_id, format, filename, bytes, content_sha256 } = row;
  const listed = creation.visibility === "public";
  return { asset_id, format, filename, bytes, content_sha256, listed, creation_ids: [creation.id] };
}

/** The name of the table where its file has others. */
export function nameIfSeveral({ file, table }: Pick<AskedPage, "file" | "table">): string | null {
  return file.tables.length > 1 ? table.name : null;
}

/** The address of the whole table as Parquet; null where it has none. */
export function addressParquet({ config }: Deps, page: Pick<AskedPage, "file" | "table">): string | null {
  const { row, tables } = page.file;
  const isWritten =
    row.bytes <= config.limits.queryBytes &&
    tables.indexOf(page.table) < MOST_WRITTEN_TABLES &&
    hasFewColumns(page.table.columns);
  return isWritten ? addressesOf(config.siteUrl).parquet(row.asset_id, nameIfSeveral(page)) : null;
}

/** Whether the author lets pages show the rows of a work's files. */
export function showsRows({ revision }: OpenCreation): boolean {
  return revision.payload.show_preview !== false;
}
