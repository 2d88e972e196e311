import { type FileHolder, type FileRow, listKeptFiles } from "../../../sql/datasets/revision-files.ts";
import { type DisclosedFileRow, findOpenFile, type OpenFileRow } from "../../../sql/reading/open-files.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { type FieldErrors, getById, notFound } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Dialect, Plan } from "../../tables/dialects/dialect.ts";
import type { StoredChecks } from "../../tables/dictionary/check-table.ts";
import type { DictionaryMember } from "../../tables/dictionary/dictionary.ts";
import { formatAsRead, type Inspection, type TableSummary } from "../../tables/inspection/verdict.ts";
import { listWrittenTables, type WrittenTable } from "../../tables/parquet/find-kinds.ts";
import { type KnownTable, listTables } from "../../tables/rows/plan.ts";
import type { TableStats } from "../../tables/statistics/brief-columns.ts";
import { MEDIA_TYPES, type ParquetForm } from "../../text/metadata/described-work.ts";
import { isNamedForTabs } from "./incoming-file.ts";

/** The type of a file as sent: an uploading agent never chooses how a browser treats it. */
export function contentTypeOf(file: Pick<FileRow, "format" | "filename" | "dialect">): string {
  const type = isNamedForTabs(file.filename) ? "text/tab-separated-values" : MEDIA_TYPES[file.format];
  return `${type}; charset=${readDialectOf(file)?.encoding ?? "utf-8"}`;
}

/** What a ready file is read by; null where it is canonical. */
export function readDialectOf({ dialect }: Pick<FileRow, "dialect">): Dialect | null {
  const named = dialect === null ? null : (JSON.parse(dialect) as Dialect | "auto");
  return named === "auto" ? null : named;
}

/** A file that readers may fetch. */
export type OpenFile = OpenFileRow;

/** The same with what the works that hold it say of how they were made. */
export type DisclosedFile = DisclosedFileRow;

/** A file that readers may fetch now; throws `not_found` for every other id. */
export async function getOpenFile(
  deps: Deps,
  assetId: string,
  what = "published file",
): Promise<DisclosedFileRow> {
  return await getById(what, assetId, (ulid) => findOpenFile(deps.pool, ulid));
}

/** What follows wherever it is said that the files of a revision were deleted. */
export const EXCEPT_SHARED = "but for those that another revision has";

/** Says in plain text on which day, or when, the files of a revision were deleted. */
export const sayFilesDeleted = (when: string) =>
  `The files of this revision were deleted on ${when}, ${EXCEPT_SHARED}.`;

/** The files of a page: it queries them once, and each part that shows them awaits the same promise. */
export type ShownFiles = Promise<readonly FileRow[]>;

/** The files that are shown of a revision: of one whose files were deleted those that its work still publishes. */
export async function listShownFiles(deps: Deps, revision: FileHolder): ShownFiles {
  return await listKeptFiles(deps.pool, revision);
}

/**
 * A Content-Disposition value that downloads under the file's own name (RFC 8187, with an ASCII fallback).
 */
export function toAttachment(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** A file as readers see it: its download, and the addresses of its rows. */
export function presentFile(deps: Deps, file: FileRow) {
  const addresses = addressesOf(deps.config.siteUrl);
  const found = readInspection(file);
  const tables = readTables(file.tables).map((table) => table.name);
  const isTable = found?.kind === "table";
  const isRead = (isTable || tables.length > 0) && isReadInPart(deps, file);
  const isOne = isTable || tables.length === 1;
  return {
    label: file.label,
    format: file.format,
    bytes: file.bytes,
    notes: file.notes,
    url: addresses.media(file.asset_id, file.filename),
    content_sha256: file.content_sha256,
    inspection: isTable ? { row_count: found.row_count, columns: found.columns } : null,
    rows_url: isRead ? addresses.rows(file.asset_id) : null,
    tables,
    parquet_url: isOne && listParquetTables(deps, file).length > 0 ? addresses.parquet(file.asset_id) : null,
    dictionary: readDictionary(file),
    checks: presentChecks(file),
    dialect: readDialectOf(file),
    canonical_sha256: file.read_sha256 === file.content_sha256 ? null : file.read_sha256,
  };
}

/** What the agent says of the columns of a file; null where nothing. */
export function readDictionary({ dictionary }: Pick<FileRow, "dictionary">): DictionaryMember | null {
  return dictionary === null ? null : (JSON.parse(dictionary) as DictionaryMember);
}

/** What the check of a file's rules found; null where it has no dictionary. */
export function readChecks({ checks }: Pick<FileRow, "checks">): StoredChecks | null {
  return checks === null ? null : (JSON.parse(checks) as StoredChecks);
}

function presentChecks(file: FileRow) {
  const found = readChecks(file);
  return found && { checked_at: found.checked_at, rules: found.rules, passed: found.passed };
}

/** The tables of a file that are written as Parquet, each with its place in the file. */
export function listParquetTables({ config }: Deps, file: FileRow): WrittenTable[] {
  const { format, read_bytes: bytes } = file;
  const [inspection, tables] = [readInspection(file), readTables(file.tables)];
  const read = { format: formatAsRead(format), inspection, tables, bytes };
  return listWrittenTables(read, config.limits.queryBytes);
}

/** Whether the tables of a file can be read in part: a JSON file is read whole, so a large one cannot. */
export function isReadInPart(deps: Deps, { format, bytes }: Pick<FileRow, "format" | "bytes">): boolean {
  return formatAsRead(format) !== "json" || bytes <= deps.config.limits.jsonTableBytes;
}

/** A public file with the contents that a page shows: sample rows or a document's outline, and statistics. */
export function presentInside(deps: Deps, file: FileRow, stats: TableStats[] | null) {
  const found = readInspection(file);
  const isTable = found?.kind === "table";
  return {
    ...presentFile(deps, file),
    // Only the page of a published work has pages of its tables beside it, and other forms of them.
    tablePageUrl: null as string | null,
    latestUrl: null as string | null,
    parquet: [] as ParquetForm[],
    leftOut: readReading(file.reading).plans?.[0]?.left_out_count ?? 0,
    canonicalUrl:
      file.dialect === null ? null : `${addressesOf(deps.config.siteUrl).rows(file.asset_id)}/all.csv`,
    format: file.format,
    sample: isTable ? { columns: found.columns.map((column) => column.name), rows: found.sample } : null,
    outline: found?.kind === "document" ? found.outline : null,
    stats,
    statsUrl: stats?.length ? addressesOf(deps.config.siteUrl).stats(file.asset_id) : null,
  };
}

/** How a file was read, or how one that was refused can be. */
interface Reading {
  errors?: FieldErrors;
  plans?: readonly Plan[];
  /** What the reading of appended rows changed. */
  changes?: readonly string[];
}

/** What is kept of the reading of a file. */
export function readReading(reading: string | null): Reading {
  return reading === null ? {} : (JSON.parse(reading) as Reading);
}

/** What inspection found in a file; null before its verdict, and of a file that was refused. */
export function readInspection({ inspection }: Pick<FileRow, "inspection">): Inspection | null {
  return inspection === null ? null : (JSON.parse(inspection) as Inspection);
}

/** The record lists that inspection found in a JSON document. */
export function readTables(tables: string | null): TableSummary[] {
  return tables === null ? [] : (JSON.parse(tables) as TableSummary[]);
}

/** A file with a table in it, and where it stands among the files of its revision, from 1. */
export interface NumberedTable {
  number: number;
  row: FileRow;
  tables: KnownTable[];
}

/** The table file of that number in the address of its page; throws `not_found` for any other number or file. */
export function findNumberedTable(files: readonly FileRow[], number: string): NumberedTable {
  const at = /^[1-9]\d?$/.test(number) ? Number(number) : 0;
  const row = files[at - 1];
  const tables =
    row === undefined ? [] : listTables({ inspection: readInspection(row), tables: readTables(row.tables) });
  if (row === undefined || tables.length === 0) throw notFound("published table");
  return { number: at, row, tables };
}
