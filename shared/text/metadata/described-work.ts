import type { CreationType } from "../../ground/creation-types.ts";
import type { Dialect } from "../../tables/dialects/dialect.ts";
import type { StoredChecks } from "../../tables/dictionary/check-table.ts";
import {
  type DictionaryColumn,
  type DictionaryMember,
  findDictionary,
} from "../../tables/dictionary/dictionary.ts";
import type {
  Column,
  ColumnType,
  DocumentInspection,
  SentFormat,
  TableInspection,
  TableSummary,
} from "../../tables/inspection/verdict.ts";
import type { ColumnForm } from "../../tables/statistics/column-form.ts";
import type { Licence } from "../licences/licences.ts";

/** A column as documents for tools describe it; what nobody said of it is left out. */
export interface DescribedColumn extends Omit<DictionaryColumn, "missing_values" | "role"> {
  type: ColumnType;
  /** Cells without a value. */
  blanks: number;
  /** How its cells are written; null where that was not measured. */
  form: ColumnForm | null;
  /** Texts that stand for blank, and what the column holds beside them. */
  missing?: readonly string[];
  beside?: { type: ColumnType; form: ColumnForm };
}

/** A table of a file; `list` is the key of its records in a JSON document, null where the file itself is the table. */
export interface DescribedTable {
  list: string | null;
  columns: readonly DescribedColumn[];
  primaryKey?: readonly string[];
}

/** A table of a file as a Parquet file that is made; `list` names it where the file has several. */
export interface ParquetForm {
  list: string | null;
  url: string;
  bytes: number;
  sha256: string;
}

/** A published file. */
export interface DescribedFile {
  filename: string;
  label: string;
  notes: string | null;
  url: string;
  bytes: number;
  sha256: string;
  format: SentFormat;
  /** How the file is read, and what is read of it, where that is not the file as sent. */
  reading: { dialect: Dialect; url: string; bytes: number; sha256: string } | null;
  tables: readonly DescribedTable[];
  parquet: readonly ParquetForm[];
}

/** A published revision of a dataset, as its documents for tools describe it. */
export interface DescribedDataset {
  handle: string;
  slug: string;
  title: string;
  description: string;
  /** The address of the page. */
  url: string;
  /** The address of this revision, which never shows another. */
  revisionUrl: string;
  revisionNumber: number;
  license: Licence | null;
  /** As a tag of BCP 47; null where it is not said. */
  language: string | null;
  /** The page that says what a work without a licence means. */
  noLicenseUrl: string;
  agent: { name: string; url: string };
  /** The owner, where the owner is shown. */
  owner: { name: string; url: string } | null;
  /** Whether its agent promises to renew it. */
  isLive: boolean;
  firstPublishedAt: string;
  publishedAt: string;
  /** The BibTeX entry of this revision. */
  citeAs: string | null;
  /** Whether it was taken back. */
  isRetracted: boolean;
  sources: readonly { title: string; url: string }[];
  keywords: readonly string[];
  files: readonly DescribedFile[];
}

/** The `creativeWorkStatus` of a work that was taken back. */
export const RETRACTED = "Retracted";

/** The media types of files, without parameters. */
export const MEDIA_TYPES: Readonly<Record<SentFormat, string>> = {
  csv: "text/csv",
  json: "application/json",
  jsonl: "application/jsonl",
  txt: "text/plain",
  md: "text/markdown",
};

/** The file as what is read of it: a CSV in canonical form where it is read by a dialect. */
export function asRead(file: DescribedFile): DescribedFile {
  if (file.reading === null) return file;
  const { url, bytes, sha256 } = file.reading;
  const filename = `${file.filename.replace(/\.[^.]*$/, "")}-canonical.csv`;
  return { ...file, url, bytes, sha256, filename, reading: null };
}

/** The media type of Parquet. */
export const PARQUET_TYPE = "application/vnd.apache.parquet";

/** The name of a table's Parquet file: of a document with several lists each has its own, as readers keep files by it. */
export function nameParquet(filename: string, list: string | null): string {
  const stem = filename.replace(/\.[^.]*$/, "");
  return list === null ? `${stem}.parquet` : `${stem}-${list}.parquet`;
}

/** The types of creations in the words of schema.org. */
export const SCHEMA_TYPES = {
  story: "Article",
  brief: "Article",
  dataset: "Dataset",
  file: "CreativeWork",
  collection: "Collection",
  external_project: "CreativeWork",
} as const satisfies Record<CreationType, string>;

/** A revision's number as a version of three parts, which tools ask for. */
export const writeVersion = (revisionNumber: number): string => `${revisionNumber}.0.0`;

/** What inspection found, without its sample. */
type Found = Pick<TableInspection, "kind" | "columns"> | Pick<DocumentInspection, "kind"> | null;

/** A file may hold a hundred thousand lists: its description stays as wide as that of the widest table. */
const MOST_TABLES = 100;
const MOST_COLUMNS = 10_000;

/** What an agent says of the columns of a file, and what its check found. */
interface Said {
  dictionary: DictionaryMember | null;
  checks: StoredChecks | null;
}

/** The tables that inspection found in a file, with the forms of their columns as far as those were measured. */
export function describeTables(
  found: Found,
  tables: readonly TableSummary[],
  forms: readonly (readonly ColumnForm[])[],
  { dictionary, checks }: Said = { dictionary: null, checks: null },
): DescribedTable[] {
  let left = MOST_COLUMNS;
  const all = listTables(found, tables);
  return all.slice(0, MOST_TABLES).flatMap(({ list, position, columns }, place) => {
    left -= columns.length;
    if (left < 0) return [];
    const own = forms[place] ?? [];
    const said = findDictionary(dictionary, list, all.length === 1);
    const meant = new Map(said?.columns.map((column) => [column.name, column]));
    const beside = new Map(
      checks?.columns.find((one) => one.position === position)?.columns.map((one) => [one.name, one]),
    );
    const described = columns.map((column, at) => {
      const cells = beside.get(column.name);
      return {
        ...describeColumn(column, own[at] ?? null, meant.get(column.name)),
        ...(cells && { beside: { type: cells.type, form: cells.form } }),
      };
    });
    const key = said?.primary_key;
    return [{ list, columns: described, ...(key === undefined ? {} : { primaryKey: key }) }];
  });
}

/** A column by its cells, with what the agent says that it means. */
function describeColumn(
  { name, type, blanks }: Column,
  form: ColumnForm | null,
  said: DictionaryColumn | undefined,
): DescribedColumn {
  const { name: _, role: __, missing_values: missing, ...meaning } = said ?? {};
  return { name, type, blanks, form, ...meaning, ...(missing && { missing }) };
}

function listTables(
  found: Found,
  tables: readonly TableSummary[],
): { list: string | null; position: number | null; columns: Column[] }[] {
  if (found?.kind === "table") return [{ list: null, position: null, columns: found.columns }];
  return tables.map(({ name, position, columns }) => ({ list: name, position, columns }));
}
