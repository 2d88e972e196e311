import type { FieldErrors } from "../../../shared/ground/errors.ts";
import type { DictionaryMember } from "../../../shared/tables/dictionary/dictionary.ts";
import type { Column } from "../../../shared/tables/inspection/verdict.ts";
import type { TableStats } from "../../../shared/tables/statistics/read-stats.ts";
import type { Snippet } from "../../../shared/text/snippets/parquet-snippets.ts";
import type { AccentName } from "../../../shared/text/theme/tokens.ts";
import type { CardImageView } from "../parts/artwork.ts";
import type { SiteView } from "../parts/layout.ts";
import type { CreationType } from "../parts/words.ts";
import type { ManagedByView } from "./creation-view.ts";
import type { RetractionView } from "./retraction-notice.ts";

/** A link that changes what is asked of the table. */
export interface ChangeView {
  words: string;
  url: string;
}

/** One condition of the form, as it was sent. */
export interface ConditionView {
  column: string;
  op: string;
  value: string;
  /** What is wrong with each field. */
  faults: FieldErrors;
}

/** The form that asks the table; it changes nothing, so it needs no token. */
export interface TableFormView {
  action: string;
  q: string;
  match: string;
  conditions: ConditionView[];
  /** The columns that a condition may choose from. */
  columns: string[];
  /** What else is asked, as hidden fields. */
  hidden: [name: string, value: string][];
  /** What is wrong with each other parameter. */
  faults: FieldErrors;
}

/** The values of one column over the matching rows; each leads to the rows that have it. */
export interface FacetView {
  column: string;
  values: { shown: string; count: number; url: string | null }[];
  /** The rows whose cell is blank. */
  blanks: { count: number; url: string } | null;
  more: ChangeView | null;
}

/** A column of the rows that are shown. */
export interface HeadView {
  name: string;
  type: Column["type"] | null;
  sorted: "ascending" | "descending" | null;
  /** The same rows sorted by it; null where its name is too long for an address. */
  url: string | null;
}

/** The rows that are shown. */
export interface RowsView {
  heads: HeadView[];
  rows: { number: number | null; url: string | null; cells: (string | null)[] }[];
  /** How many rows, or groups, are found, from which of them on these are shown, and how many rows there are. */
  found: number;
  offset: number;
  total: number;
  isGrouped: boolean;
  /** The address of the page and of the JSON as far as the offset. */
  pageUrl: string;
  jsonUrl: string;
  csvUrl: string;
  /** The whole table as Parquet; null where it has none. */
  parquetUrl: string | null;
  facets: FacetView[];
}

/** The columns that the page leaves out. */
export interface ColumnRangeView {
  shown: number;
  total: number;
  previousUrl: string | null;
  nextUrl: string | null;
}

/** What the pages of a table and of one of its rows share. */
export interface TableFrame {
  site: SiteView;
  accent: AccentName | null;
  image: CardImageView;
  noindex: boolean;
  retracted: RetractionView | null;
  canonicalUrl: string | null;
  creation: { type: CreationType; title: string; url: string };
  profile: { display_name: string; url: string };
  managedBy: ManagedByView | null;
  file: {
    label: string;
    format: "csv" | "json" | "txt" | "md";
    bytes: number;
    url: string;
    content_sha256: string;
    dictionary: DictionaryMember | null;
  };
  /** The address of the page without a question. */
  url: string;
}

/** The page of a table. */
export interface TablePageView extends TableFrame {
  tabs: (ChangeView & { isCurrent: boolean })[];
  columns: Column[];
  rowCount: number;
  stats: TableStats | null;
  /** Null where the author lets the page show columns alone. */
  form: TableFormView | null;
  chips: ChangeView[];
  refusal: string | null;
  rows: RowsView | null;
  range: ColumnRangeView | null;
  /** Ways to use the table; none where a question was asked. */
  snippets: Snippet[];
}

/** The page of one row, each cell whole. */
export interface RowPageView extends TableFrame {
  number: number;
  total: number;
  table: string | null;
  /** Each cell, and the address of its JSON where it is too long for the page. */
  cells: { name: string; type: Column["type"] | null; text: string | null; wholeUrl: string | null }[];
  columnsLeftOut: number;
  tableUrl: string;
  previousUrl: string | null;
  nextUrl: string | null;
}
