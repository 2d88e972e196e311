import type { FieldErrors } from "../../ground/field-errors.ts";
import { askWhetherMeant } from "../../ground/nearest-name.ts";
import {
  chooseTable,
  quoteName,
  type RowsFile,
  type RowsPlan,
  type RowsRefusal,
  refuse,
  refuseColumn,
  refuseFields,
} from "../rows/plan.ts";
import { MOST_COLUMNS_A_CALL, type RowsLimits } from "../rows/query.ts";
import { isGrouped, isOnePass, listResultColumns, type Question } from "./question.ts";
import type { QueryForm } from "./read-question.ts";

export interface QueryLimits extends RowsLimits {
  queryBytes: number;
  queryGroups: number;
  /** Whether an answer that its bound of bytes cuts says so, as answers to tools do. */
  notesCut?: boolean;
}

/** A question that has been checked against its table. */
export interface QueryPlan
  extends Pick<
    RowsPlan,
    "format" | "bytes" | "position" | "tableColumns" | "total" | "columns" | "rowsResponseBytes"
  > {
  ok: true;
  question: Question;
  /** The name of the table; null where the file is one table. */
  table: string | null;
  mostGroups: number;
  notesCut: boolean;
}

/** Checks a question against a file's inspection, before a byte of the file is read. */
export function planQuery(
  file: RowsFile,
  question: Question,
  form: QueryForm,
  limits: QueryLimits,
): QueryPlan | RowsRefusal {
  const table = chooseTable(file, question, limits);
  if ("ok" in table) return table;
  const errors = findUnknownNames(table.tableColumns, question);
  if (Object.keys(errors).length > 0) return refuseFields(errors);
  if (file.bytes > limits.queryBytes && !isOnePass(question)) {
    const message = `A file over ${limits.queryBytes} bytes takes no questions. Read its rows, or download it instead.`;
    return refuse("too_large_to_read", message);
  }
  const { format, bytes } = file;
  const name = file.tables.find(({ position }) => position === table.position)?.name ?? null;
  const all = form === "page" ? table.tableColumns.slice(0, MOST_COLUMNS_A_CALL) : table.tableColumns;
  return {
    ok: true,
    format,
    bytes,
    ...table,
    columns: isGrouped(question) ? listResultColumns(question) : (question.columns ?? all),
    rowsResponseBytes: limits.rowsResponseBytes,
    question,
    table: table.position === null ? null : name,
    mostGroups: limits.queryGroups,
    notesCut: limits.notesCut ?? false,
  };
}

/** The query of the rows reader that answers a question of one pass. */
export function toRowsPlan(plan: QueryPlan): RowsPlan {
  return { ...plan, query: { ...plan.question, from: "start" } };
}

/** The names of a question that its table, or its result, does not have. */
export function findUnknownNames(tableColumns: string[], question: Question): FieldErrors {
  const known = new Set(tableColumns);
  const ofTable: (readonly [string, string])[] = [
    ...question.filters.map(({ index, column }) => [`filter.${index}.column`, column] as const),
    ...question.groups.map(({ index, column }) => [`group.${index}.column`, column] as const),
    ...question.aggregates.flatMap(({ index, column }) =>
      column === null ? [] : [[`aggregate.${index}.column`, column] as const],
    ),
    ...(question.columns ?? []).map((name, index) => [`columns.${index}`, name] as const),
    ...question.facets.map((name, index) => [`facet.${index}`, name] as const),
  ];
  const ofResult = [
    ...question.having.map(({ index, column }) => [`having.${index}.column`, column] as const),
    ...question.sort.map(({ index, column }) => [`sort.${index}.column`, column] as const),
  ];
  const isWithGroups = isGrouped(question);
  if (!isWithGroups) ofTable.push(...ofResult);
  const unknown = ofTable.filter(([, name]) => !known.has(name));
  const errors = Object.fromEntries(
    unknown.map(([field, name], place) => [field, [refuseColumn({ tableColumns }, name, place === 0)]]),
  );
  return isWithGroups ? { ...errors, ...findUnknownOfResult(listResultColumns(question), ofResult) } : errors;
}

function findUnknownOfResult(names: string[], asked: (readonly [string, string])[]): FieldErrors {
  const unknown = asked.filter(([, name]) => !names.includes(name));
  const listed = names.map(quoteName).join(", ");
  return Object.fromEntries(
    unknown.map(([field, name]) => {
      const meant = askWhetherMeant(name, names);
      return [field, [`The result has no such column.${meant} It has ${listed}. Names are exact.`]];
    }),
  );
}
