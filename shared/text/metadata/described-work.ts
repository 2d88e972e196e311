import type { ColumnType, FileFormat } from "../../tables/inspection/verdict.ts";
import type { ColumnForm } from "../../tables/statistics/column-form.ts";
import type { Licence } from "../licences/licences.ts";

/** A column as documents for tools describe it; what nobody said of it is left out. */
export interface DescribedColumn {
  name: string;
  type: ColumnType;
  /** Cells without a value. */
  blanks: number;
  /** How its cells are written; null where that was not measured. */
  form: ColumnForm | null;
  title?: string;
  description?: string;
  unit?: string;
  /** What the column means, as an address. */
  concept?: string;
  /** Texts that stand for blank, and what the column holds beside them. */
  missing?: readonly string[];
  beside?: { type: ColumnType; form: ColumnForm };
  categories?: readonly { value: string; label?: string | undefined }[];
  required?: boolean;
  unique?: boolean;
  minimum?: number | string;
  maximum?: number | string;
  references?: { label: string; column: string };
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
  format: FileFormat;
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
export const MEDIA_TYPES: Readonly<Record<FileFormat, string>> = {
  csv: "text/csv",
  json: "application/json",
  txt: "text/plain",
  md: "text/markdown",
};

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
} as const;

/** A revision's number as a version of three parts, which tools ask for. */
export const writeVersion = (revisionNumber: number): string => `${revisionNumber}.0.0`;
