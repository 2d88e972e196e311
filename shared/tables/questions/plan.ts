import type { FieldErrors } from "../../ground/errors.ts";
import { askWhetherMeant } from "../../ground/nearest-name.ts";
import { classifyCsvText } from "../inspection/column-types.ts";
import { isLikeNumber } from "../inspection/text-marks.ts";
import {
  chooseTable,
  type Named,
  numberRow,
  quoteName,
  type RowsFile,
  type RowsPlan,
  type RowsRefusal,
  type RowsRefusalCode,
  refuse,
  refuseFields,
  refuseUnknown,
} from "../rows/plan.ts";
import { MOST_COLUMNS_A_CALL, type RowsLimits } from "../rows/query.ts";
import { isGrouped, isOnePass, listResultColumns, type Question } from "./question.ts";
import type { QueryForm } from "./read-question.ts";

export interface QueryLimits extends RowsLimits {
  queryBytes: number;
  queryGroups: number;
}

/** A question that has been checked against its table. */
export interface QueryPlan
  extends Pick<
    RowsPlan,
    | "format"
    | "bytes"
    | "position"
    | "tableColumns"
    | "textColumns"
    | "total"
    | "columns"
    | "rowsResponseBytes"
    | "notesCut"
  > {
  ok: true;
  question: Question;
  /** The name of the table; null where the file is one table. */
  table: string | null;
  mostGroups: number;
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
    const message = `A file over ${limits.queryBytes} bytes takes no questions with groups, sorts or facets here.`;
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
function findUnknownNames(tableColumns: string[], question: Question): FieldErrors {
  const ofTable: Named[] = [
    ...question.blankOf.map(({ index, column }) => [`blank.${index}.column`, column] as const),
    ...question.filters.map(({ index, column }) => [`filter.${index}.column`, column] as const),
    ...question.groups.map(({ index, column }) => [`group.${index}.column`, column] as const),
    ...question.aggregates.flatMap(({ index, column }) =>
      column === null ? [] : [[`aggregate.${index}.column`, column] as const],
    ),
    ...(question.columns ?? []).map((name, index) => [`columns.${index}`, name] as const),
    ...question.facets.map((name, index) => [`facet.${index}`, name] as const),
  ];
  const ofResult: Named[] = [
    ...question.having.map(({ index, column }) => [`having.${index}.column`, column] as const),
    ...question.sort.map(({ index, column }) => [`sort.${index}.column`, column] as const),
  ];
  if (!isGrouped(question)) return refuseUnknown(tableColumns, [...ofTable, ...ofResult]);
  const errors = refuseUnknown(tableColumns, ofTable);
  const isKnown = (list: string, { index }: { index: number }) => !(`${list}.${index}.column` in errors);
  const groups = question.groups.filter((group) => isKnown("group", group));
  // A name of its own stays, whichever column is meant.
  const aggregates = question.aggregates.filter(
    (one) => isKnown("aggregate", one) || one.as !== `${one.op}_${one.column}`,
  );
  const mayBeMeant = (name: string) =>
    (groups.length < question.groups.length && tableColumns.includes(name)) ||
    (aggregates.length < question.aggregates.length && tableColumns.some((one) => name.endsWith(`_${one}`)));
  const judged = ofResult.filter(([, name]) => !mayBeMeant(name));
  return { ...errors, ...findUnknownOfResult(listResultColumns({ groups, aggregates }), judged) };
}

function findUnknownOfResult(names: string[], asked: readonly Named[]): FieldErrors {
  const unknown = asked.filter(([, name]) => !names.includes(name));
  const listed = names
    .filter((name) => name !== "")
    .map(quoteName)
    .join(", ");
  const offered = listed === "" ? "" : ` It has ${listed}.`;
  return Object.fromEntries(
    unknown.map(([field, name]) => {
      const meant = askWhetherMeant(name, names);
      return [field, [`The result has no such column.${meant}${offered} Names are exact.`]];
    }),
  );
}

/** A question that turns out, while its rows are read, to have no exact answer. */
export class QueryRefused extends Error {
  override name = "QueryRefused";
  readonly refusal: RowsRefusal;
  constructor(refusal: RowsRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The refusal of a question that takes too much. */
export function tooLarge(message: string): QueryRefused {
  const code: RowsRefusalCode = "too_large_to_read";
  return new QueryRefused(refuse(code, message));
}

/** A cell that a member of the question cannot take. */
interface WrongCell {
  /** The member that needs the cell: `aggregate.0.column`. */
  field: string;
  column: string;
  /** From 0 in the order of the file. */
  row: number;
  text: string;
  isCsv: boolean;
  /** What the cell is not: `no number`. */
  fault: string;
}

/** A refusal's sentence without the cell that it repeats, as the file's author wrote that. */
export function leaveOutCell({ row }: RowsRefusal, sentence: string): string {
  return row === undefined
    ? sentence
    : `The cell in row ${row} cannot be taken here. Leave such cells out with blank or a filter where they say nothing.`;
}

const MOST_SHOWN = 60;
/** What a cell is not that is to be added up or binned. */
export const NO_NUMBER = "is no number";

/** The refusal of a cell, by the column, the row (the header of a CSV is row 1) and the text. */
export function refuseCell({ field, column, row: place, text, isCsv, fault }: WrongCell): QueryRefused {
  const row = numberRow(place, isCsv);
  const said = `${quoteName(text)} ${fault}${adviseOn(text, fault, isCsv)}`;
  const sentence = `Column ${quoteName(column)}, row ${row}: ${said}`;
  return new QueryRefused({ ...refuseFields({ [field]: [sentence] }), row });
}

/** How a question goes on: without a cell that says nothing, but not without a number that is written otherwise. */
function adviseOn(text: string, fault: string, isCsv: boolean): string {
  const way = isCsv ? ", or be read by a dialect" : ", without quotes";
  if (fault === NO_NUMBER && text.length <= MOST_SHOWN && isLikeNumber(text.trim()))
    return ` as it is written. Left out, it would be missing from the result: its file has to write it as 1234, -5 and 0.5 are${way}.`;
  const isShort = text.length <= MOST_SHOWN && !/[\r\n]/.test(text);
  const instead = isShort ? adviseOnData(text, fault) : null;
  const leave = instead === null ? "Leave" : `${instead}, or leave`;
  return isShort ? `. ${leave} it out with blank[]=${text}.` : ". Leave it out with a filter.";
}

/** What to ask of a cell that is data of another kind: left out, such cells would take the column with them. */
function adviseOnData(text: string, fault: string): string | null {
  const kind = classifyCsvText(text);
  if (fault.startsWith("has no ")) return "Group by something coarser";
  if (fault !== NO_NUMBER) return kind === "number" ? "Group without by" : null;
  if (kind === "date") return "Count dates, take their min or max, or group them by month or the like";
  return kind === "boolean" ? "Group by it to count each" : null;
}
