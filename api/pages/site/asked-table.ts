import type { RenderContext } from "../../../shared/datasets/drawings/render-body.ts";
import { findShownParquet } from "../../../shared/datasets/parquet/find-parquet.ts";
import {
  findNumberedTable,
  listParquetTables,
  listShownFiles,
  readDictionary,
} from "../../../shared/datasets/uploads/public-files.ts";
import { findShownStats } from "../../../shared/datasets/uploads/shown-statistics.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { type Dictionary, findDictionary } from "../../../shared/tables/dictionary/dictionary.ts";
import { readQuestion } from "../../../shared/tables/questions/read-question.ts";
import type { OpenCreation } from "./revision-frame.ts";

/** A table of an open creation whose page is asked for. */
export type AskedPage = Awaited<ReturnType<typeof findAskedPage>>;

/** Finds the table of an address and of its question. */
export async function findAskedPage(
  context: RenderContext,
  creation: OpenCreation,
  asked: { number: string; query: URLSearchParams },
) {
  const { deps } = context;
  const file = findNumberedTable(await listShownFiles(deps, creation.revision), asked.number);
  const { question } = readQuestion(asked.query.toString(), "page", deps.config.limits.rowsPerCall);
  const found = file.tables.findIndex(({ name }) => name === question.table);
  const place = Math.max(found, 0);
  const table = file.tables[place];
  if (table === undefined) throw new Error("a table file has no table");
  const { row } = file;
  const [stats, parquet] = await Promise.all([
    findShownStats(context, row, place),
    findShownParquet(deps, row, place),
  ]);
  return { creation, file, table, stats, parquet, query: asked.query };
}

/** The file as the reader of questions takes it. */
export function toOpenFile({ creation, file: { row } }: Pick<AskedPage, "creation" | "file">) {
  const { asset_id, format, filename, bytes, content_sha256, read_bytes, read_sha256, dialect } = row;
  const listed = creation.visibility === "public";
  const stored = { bytes, content_sha256, read_bytes, read_sha256, dialect };
  return { asset_id, format, filename, ...stored, listed, creation_ids: [creation.id] };
}

/** The name of the table where its file has others. */
export function nameIfSeveral({ file, table }: Pick<AskedPage, "file" | "table">): string | null {
  return file.tables.length > 1 ? table.name : null;
}

/** The address of the whole table as Parquet; null where it has none. */
export function addressParquet(deps: Deps, page: Pick<AskedPage, "file" | "table">): string | null {
  const { row, tables } = page.file;
  const place = tables.indexOf(page.table);
  const isWritten = listParquetTables(deps, row).some(({ number }) => number === place);
  return isWritten ? addressesOf(deps.config.siteUrl).parquet(row.asset_id, nameIfSeveral(page)) : null;
}

/** Whether the author lets pages show the rows of a work's files. */
export function showsRows({ revision }: OpenCreation): boolean {
  return revision.payload.show_preview !== false;
}

/** What the agent says of the columns of the table; null where nothing. */
export function findMeaning({ file, table }: Pick<AskedPage, "file" | "table">): Dictionary | null {
  return findDictionary(readDictionary(file.row), table.name, file.tables.length < 2);
}

/** Whether the query asks nothing of its table. */
export function isBare({ query }: Pick<AskedPage, "query">): boolean {
  return [...query.keys()].every((name) => name === "table");
}
