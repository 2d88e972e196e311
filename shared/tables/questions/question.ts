import type { ColumnBlanks, Condition, Selection } from "../rows/conditions.ts";

/** A question about a table: which rows, grouped how, with which aggregates, in which order (contract: Rows query). */

export const DATE_PARTS = ["year", "quarter", "month", "week", "day", "hour"] as const;
export type DatePart = (typeof DATE_PARTS)[number];
export const AGGREGATE_OPS = ["count", "count_distinct", "sum", "avg", "min", "max", "median"] as const;
export type AggregateOp = (typeof AGGREGATE_OPS)[number];
export const ORDERS = ["asc", "desc"] as const;

export interface Group {
  index: number;
  column: string;
  by: DatePart | null;
  /** A decimal above 0 as it was written. */
  step: string | null;
}

export interface Aggregate {
  index: number;
  op: AggregateOp;
  /** Null only for a count of rows. */
  column: string | null;
  as: string;
}

export interface SortKey {
  index: number;
  column: string;
  isDescending: boolean;
}

/** Who says what counts as blank; `unsaid` before the dictionary of the file was looked up. */
export type BlankFrom = "question" | "dictionary" | "nobody" | "unsaid";

export interface Question extends Selection {
  table: string | null;
  blankFrom: BlankFrom;
  groups: Group[];
  /** With groups at least one. */
  aggregates: Aggregate[];
  having: Condition[];
  sort: SortKey[];
  columns: string[] | null;
  facets: string[];
  facetSize: number;
  offset: number;
  /** `Number.MAX_SAFE_INTEGER` in an export without a limit. */
  limit: number;
}

/** How many of each a question may have. */
export const MOST = {
  filter: 10,
  values: 100,
  blank: 10,
  blankColumns: 300,
  blankValues: 10,
  group: 3,
  aggregate: 10,
  having: 5,
  sort: 3,
  facet: 10,
} as const;

export const MOST_SEARCH_CHARACTERS = 200;
export const MOST_NAME_CHARACTERS = 80;
export const MOST_STEP_CHARACTERS = 100;
export const MOST_BLANK_CHARACTERS = 1_000;
export const FACET_SIZE = 10;
export const MOST_FACET_SIZE = 100;
/** The longest query of an address, in bytes as sent. */
export const MOST_QUESTION_BYTES = 8_192;

/** The members of each entry of a list of objects. */
export const ENTRY_MEMBERS = {
  blank: ["column", "value"],
  filter: ["column", "op", "value"],
  group: ["column", "by", "step"],
  aggregate: ["op", "column", "as"],
  having: ["column", "op", "value"],
  sort: ["column", "order"],
} as const;
export type EntryList = keyof typeof ENTRY_MEMBERS;

export const SINGLE_MEMBERS = ["table", "match", "q", "facet_size", "offset", "limit"] as const;
export const TEXT_LISTS = ["blank", "columns", "facet"] as const;
export const ENTRY_LISTS = ["blank", "filter", "group", "aggregate", "having", "sort"] as const;
/** The members of a question as JSON, in the order of its canonical form. */
export const QUESTION_MEMBERS = [
  "table",
  "filter",
  "match",
  "q",
  "blank",
  "group",
  "aggregate",
  "having",
  "sort",
  "columns",
  "facet",
  "facet_size",
  "offset",
  "limit",
] as const;

/** What a question without grouping lacks: groups and aggregates alike. */
export function isGrouped({ groups, aggregates }: Question): boolean {
  return groups.length > 0 || aggregates.length > 0;
}

/** Whether a question asks for rows of the table in its order and no more: it is answered in one pass, which holds a part. */
export function isOnePass(question: Question): boolean {
  return !isGrouped(question) && question.sort.length === 0 && question.facets.length === 0;
}

/** The names of the result's columns of a grouped question. */
export function listResultColumns({ groups, aggregates }: Pick<Question, "groups" | "aggregates">): string[] {
  return [...groups.map(({ column }) => column), ...aggregates.map(({ as }) => as)];
}

/** The columns whose cells decide what a question finds, by name: those that it needs coded. */
export function listCodedColumns(question: Question): ReadonlySet<string> {
  return new Set([
    ...question.filters.map(({ column }) => column),
    ...question.groups.map(({ column }) => column),
    ...question.aggregates.flatMap(({ column }) => column ?? []),
    ...(isGrouped(question) ? [] : question.sort.map(({ column }) => column)),
    ...question.facets,
  ]);
}

/** What counts as blank in columns that decide what a question finds; words may stand in any. */
export function listDecidingBlanks(question: Question): readonly ColumnBlanks[] {
  if (question.q !== null) return question.blankOf;
  const deciding = listCodedColumns(question);
  return question.blankOf.filter(({ column }) => deciding.has(column));
}

/** Who says what counts as blank, as an answer names it. */
export function nameBlankFrom(question: Question): "question" | "dictionary" | null {
  const { blankFrom } = question;
  if (blankFrom === "dictionary") return listDecidingBlanks(question).length > 0 ? blankFrom : null;
  return blankFrom === "question" ? blankFrom : null;
}
