import { createCellTest, listBlanks } from "../rows/conditions.ts";
import type { RowsRefusal } from "../rows/plan.ts";
import { createReader } from "../rows/reader.ts";
import { aggregate, type GroupedRows, type ResultColumn } from "./aggregate.ts";
import { blankOut, type CodedColumn, type CodedTable, codeColumns, KIND } from "./coded-table.ts";
import { createGroupKeys } from "./group-keys.ts";
import { type QueryPlan, QueryRefused } from "./plan.ts";
import { isGrouped, listCodedColumns, type Question } from "./question.ts";
import { cellsOf, rankCells, sortByRank } from "./rank.ts";
import { groupRows, selectRows } from "./select-rows.ts";
import { scaleNumbers } from "./sums.ts";

/** A checked question, the file with a line feed behind it, and the columns that are coded already. */
export interface QueryInput {
  plan: QueryPlan;
  firstRowAt: number;
  bytes: Buffer;
  coded: CodedTable | null;
  /** Keeps an author from making a file whose cells all fall into one slot. */
  seed: number;
}

/** What a question finds, before offset and limit. */
export interface QueryResult {
  ok: true;
  /** Every coded column of the table now. */
  coded: CodedTable;
  /** Rows that meet the conditions. */
  selected: Uint32Array;
  /** Rows of the table in their order or, with `grouped`, groups. */
  order: Uint32Array;
  /** The columns of the grouped result, each with a cell for every group; null without grouping. */
  grouped: ResultColumn[] | null;
  columnOf(name: string): CodedColumn;
}

/** Finds the result of a question in the order of work of the contract; refuses what has no exact answer. */
export function findResult(input: QueryInput): QueryResult {
  const { plan, bytes } = input;
  const coded = codeWhatIsMissing(input);
  const columns = new Map<string, CodedColumn>();
  const columnOf = (name: string): CodedColumn => {
    const known = columns.get(name) ?? blankOut(findColumn(coded, name), listBlanks(plan.question, name));
    columns.set(name, known);
    return known;
  };
  const selected = selectRows(plan, coded, columnOf, bytes);
  const found = { ok: true, coded, selected, columnOf } as const;
  if (!isGrouped(plan.question)) {
    return { ...found, order: sortRows(plan.question, coded, columnOf, selected), grouped: null };
  }
  const grouped = groupAndAggregate(plan, coded, columnOf, selected);
  return { ...found, ...grouped };
}

/** Runs a part of a question; gives the refusal of one that has no exact answer. */
export function runOrRefuse<Answer>(run: () => Answer): Answer | RowsRefusal {
  try {
    return run();
  } catch (error) {
    if (error instanceof QueryRefused) return error.refusal;
    throw error;
  }
}

function codeWhatIsMissing({ plan, firstRowAt, bytes, coded, seed }: QueryInput): CodedTable {
  const { question, total, format, textColumns } = plan;
  const missing = [...listCodedColumns(question)].filter(
    (name) => !coded?.columns.some((column) => column.name === name),
  );
  if (coded !== null && missing.length === 0) return coded;
  const table = { rowCount: total, firstRowAt, isCsv: format === "csv", textColumns };
  const added = codeColumns(bytes, createReader(plan, missing), table, missing, seed);
  return { ...added, columns: [...(coded?.columns ?? []), ...added.columns] };
}

function findColumn({ columns }: CodedTable, name: string): CodedColumn {
  const column = columns.find((one) => one.name === name);
  if (column === undefined) throw new Error("a column of the question is not coded");
  return column;
}

/** The ranks of a column's codes, which later questions find ready. */
function ranksOf(coded: CodedTable, name: string): Uint32Array {
  const column = findColumn(coded, name);
  column.ranks ??= rankCells(cellsOf(column));
  return column.ranks;
}

function sortRows(
  { sort }: Question,
  coded: CodedTable,
  columnOf: (name: string) => CodedColumn,
  selected: Uint32Array,
): Uint32Array {
  // The last key first: each later pass keeps the order of those before it.
  return sort.toReversed().reduce((rows, { column: name, isDescending }) => {
    const ranks = ranksOf(coded, name);
    const { codes, kinds } = columnOf(name);
    const rankOf = (row: number): number => {
      const code = codes[row] as number;
      return kinds[code] === KIND.blank ? 0 : (ranks[code] as number);
    };
    return sortByRank(rows, rankOf, kinds.length, isDescending);
  }, selected);
}

function groupAndAggregate(
  plan: QueryPlan,
  coded: CodedTable,
  columnOf: (name: string) => CodedColumn,
  rows: Uint32Array,
): { order: Uint32Array; grouped: ResultColumn[] } {
  const { question } = plan;
  const keys = question.groups.map((group) => createGroupKeys(plan, group, columnOf(group.column)));
  const grouping = groupRows(plan, rows, keys);
  const keyColumns = keys.map(({ keyOf, kind, text, isText }): ResultColumn => {
    const key = (group: number): number => keyOf(grouping.firstRows[group] as number);
    return { kind: (group) => kind(key(group)), text: (group) => text(key(group)), isText };
  });
  const from: GroupedRows = {
    plan,
    rows,
    grouping,
    columnOf,
    ranksOf: (name) => ranksOf(coded, name),
    numberRanksOf: (name) => {
      const column = findColumn(coded, name);
      return column.isText ? rankCells(cellsOf({ ...column, isText: false })) : ranksOf(coded, name);
    },
    scaledOf: (name) => {
      const column = findColumn(coded, name);
      column.scaled ??= scaleNumbers(column);
      return column.scaled;
    },
  };
  const grouped = [...keyColumns, ...question.aggregates.map((asked) => aggregate(from, asked))];
  return { order: orderGroups(plan, grouped, grouping.count), grouped };
}

/** The groups that `having` lets through, sorted. */
function orderGroups({ question, columns }: QueryPlan, grouped: ResultColumn[], count: number): Uint32Array {
  const cellsIn = (name: string): ResultColumn => grouped[columns.indexOf(name)] as ResultColumn;
  const tests = question.having.map((condition) => {
    const { kind, text, isText } = cellsIn(condition.column);
    const [test, testText] = [createCellTest(condition), createCellTest(condition, true)];
    return (group: number) => {
      if (kind(group) === KIND.blank) return test(null);
      return (isText && kind(group) === KIND.text ? testText : test)(text(group));
    };
  });
  const all = new Uint32Array(count);
  for (let group = 0; group < count; group++) all[group] = group;
  const kept = tests.length === 0 ? all : all.filter((group) => tests.every((test) => test(group)));
  return question.sort.toReversed().reduce<Uint32Array>((groups, { column, isDescending }) => {
    const { kind, text } = cellsIn(column);
    const ranks = rankCells({ size: count, kind, text, double: (group) => Number(text(group)) });
    return sortByRank(groups, (group) => ranks[group] as number, count, isDescending);
  }, kept);
}
