import type { FileRow } from "../../../sql/datasets/revision-files.ts";
import { addressesOf } from "../../ground/addresses.ts";
import type { Deps } from "../../platform/deps.ts";
import type { DictionaryMember } from "../../tables/dictionary/dictionary.ts";
import type { StoredChecks } from "../../tables/dictionary/stored-checks.ts";
import type { Inspection, TableSummary } from "../../tables/inspection/verdict.ts";
import { hasFewColumns } from "../../tables/parquet/written-tables.ts";
import type { TableStats } from "../../tables/statistics/read-stats.ts";
import type { ParquetForm } from "../../text/metadata/described-work.ts";

/** A file as readers see it: its download, and the addresses of its rows. */
export function presentFile(deps: Deps, file: FileRow) {
  const addresses = addressesOf(deps.config.siteUrl);
  const found = file.inspection === null ? null : (JSON.parse(file.inspection) as Inspection);
  const tables = readTables(file.tables).map((table) => table.name);
  const isTable = found?.kind === "table";
  const isRead = (isTable || tables.length > 0) && isReadInPart(deps, file);
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
    parquet_url: hasParquet(deps, file, found) ? addresses.parquet(file.asset_id) : null,
    dictionary: readDictionary(file),
    checks: presentChecks(file),
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

/** Whether a file is one table, or has one list, that is written as Parquet. */
function hasParquet(deps: Deps, { bytes, tables }: FileRow, found: Inspection | null): boolean {
  if (bytes > deps.config.limits.queryBytes) return false;
  if (found?.kind === "table") return hasFewColumns(found.columns);
  const [list, ...others] = readTables(tables);
  return list !== undefined && others.length === 0 && hasFewColumns(list.columns);
}

/** Whether the tables of a file can be read in part: a JSON file is read whole, so a large one cannot. */
export function isReadInPart(deps: Deps, { format, bytes }: Pick<FileRow, "format" | "bytes">): boolean {
  return format !== "json" || bytes <= deps.config.limits.jsonTableBytes;
}

/** A public file with the contents that a page shows: sample rows or a document's outline, and statistics. */
export function presentInside(deps: Deps, file: FileRow, stats: TableStats[] | null) {
  const found = file.inspection === null ? null : (JSON.parse(file.inspection) as Inspection);
  const isTable = found?.kind === "table";
  return {
    ...presentFile(deps, file),
    // Only the page of a published work has pages of its tables beside it, and other forms of them.
    tablePageUrl: null as string | null,
    parquet: [] as ParquetForm[],
    format: file.format,
    sample: isTable ? { columns: found.columns.map((column) => column.name), rows: found.sample } : null,
    outline: found?.kind === "document" ? found.outline : null,
    stats,
    statsUrl: stats?.length ? addressesOf(deps.config.siteUrl).stats(file.asset_id) : null,
  };
}

/** The record lists that inspection found in a JSON document. */
export function readTables(tables: string | null): TableSummary[] {
  return tables === null ? [] : (JSON.parse(tables) as TableSummary[]);
}
