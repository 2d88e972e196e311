import { addressesOf } from "../../shared/addresses.ts";
import type { DataFile } from "../../shared/core/snippets/data-file.ts";
import { type AskedPage, nameIfSeveral } from "./asked-table.ts";

/** The types of more columns, or of longer names, would be most of a page. */
const MOST_TYPED_COLUMNS = 20;
const MOST_NAME_CHARACTERS = 80;

/** What the snippets of a table name; a column with a number that no double holds counts as text. */
export function toDataFile(site: string, page: AskedPage): DataFile {
  const { file, table, stats } = page;
  const { asset_id, filename, format, content_sha256 } = file.row;
  const addresses = addressesOf(site);
  const named = nameIfSeveral(page);
  const query = named === null ? "" : `?${new URLSearchParams({ table: named })}`;
  const shown = new Map(stats?.columns.map((column) => [column.name, column]));
  const isTyped =
    table.columns.length <= MOST_TYPED_COLUMNS &&
    table.columns.every(({ name }) => name.length <= MOST_NAME_CHARACTERS) &&
    // Some readers take names that differ in case alone for one.
    new Set(table.columns.map(({ name }) => name.toLowerCase())).size === table.columns.length;
  return {
    url: addresses.media(asset_id, filename),
    rowsUrl: `${addresses.rows(asset_id)}/all.ndjson${query}`,
    contentSha256: content_sha256,
    format: format === "csv" ? "csv" : "json",
    table: table.name,
    columns: isTyped
      ? table.columns.map(({ name, type }) => ({
          name,
          type: type === "number" && !isDouble(shown.get(name)) ? "text" : type,
        }))
      : [],
    parquet: page.parquet,
  };
}

function isDouble(column: { min: string | null; max: string | null } | undefined): boolean {
  return [column?.min, column?.max].every((text) => Number.isFinite(Number(text ?? 0)));
}
