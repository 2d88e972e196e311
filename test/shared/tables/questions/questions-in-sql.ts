import { quote, writeCondition } from "../rows/conditions-in-sql.ts";
import type { Asked } from "./oracle/answer.ts";

/** Numbers that a decimal of DuckDB holds. */
export const PLAIN = String.raw`'-?\d{1,18}(\.\d{1,10})?'`;

/** The exact value of a cell; null for a text. */
const numberOf = (cell: string) =>
  `CASE WHEN regexp_full_match(${cell}, ${PLAIN}) THEN TRY_CAST(${cell} AS DECIMAL(38, 10)) END`;

const PARTS: Readonly<Record<string, (cell: string) => string>> = {
  year: (cell) => `substr(${cell}, 1, 4)`,
  quarter: (cell) => `substr(${cell}, 1, 4) || '-Q' || ((substr(${cell}, 6, 2)::INTEGER + 2) // 3)`,
  month: (cell) => `substr(${cell}, 1, 7)`,
  week: (cell) => `strftime(substr(${cell}, 1, 10)::DATE, '%G-W%V')`,
  day: (cell) => `substr(${cell}, 1, 10)`,
};

/** Numbers by value, then texts by code point, blanks last both ways; equal ones are told apart by what follows. */
function orderBy(cell: string, isDescending: boolean, number = numberOf(cell)): string {
  const way = isDescending ? "DESC" : "ASC";
  return `(${cell}) IS NULL, (${number}) IS NULL ${way}, ${number} ${way} NULLS LAST, CASE WHEN (${number}) IS NULL THEN ${cell} END ${way} NULLS LAST`;
}

function readAggregate({ op, column }: { op: string; column?: string }, cellOf: (name: string) => string) {
  if (column === undefined) return "count(*)::VARCHAR";
  const cell = cellOf(column);
  const first = (order: string) => `(list(${cell} ORDER BY ${order}, rowid))[1]`;
  const written: Record<string, string> = {
    count: `count(${cell})::VARCHAR`,
    count_distinct: `count(DISTINCT ${cell})::VARCHAR`,
    sum: `regexp_replace(sum(${numberOf(cell)})::VARCHAR, '\\.?0+$', '')`,
    avg: `(sum(${numberOf(cell)})::DOUBLE / count(${cell}))::VARCHAR`,
    median: `median((${numberOf(cell)})::DOUBLE)::VARCHAR`,
    min: first(orderBy(cell, false)),
    max: first(orderBy(cell, true)),
  };
  return written[op] ?? "NULL";
}

function writeKey({ column, by, step }: NonNullable<Asked["group"]>[number], cell: string): string {
  if (step !== undefined) return `(floor((${numberOf(cell)})::DOUBLE / ${step}) * ${step})::BIGINT::VARCHAR`;
  return by === undefined ? cell : (PARTS[by]?.(cell) ?? quote(column, '"'));
}

/** The condition of the rows that a question counts, and its cells with what counts as blank left out. */
export function writeRows({ filter = [], match, q, blank = [] }: Asked, names: readonly string[]) {
  const cellOf = (name: string): string => {
    const cell = quote(name, '"');
    return blank.reduce((shown, text) => `nullif(${shown}, ${quote(text, "'")})`, cell);
  };
  const conditions = filter.map(({ column, op, value }) => {
    if (op !== "in") return writeCondition(cellOf(column), op as "eq", (value as string) ?? null);
    const any = (value as string[]).map((one) => writeCondition(cellOf(column), "eq", one));
    return `(${any.join(" OR ")})`;
  });
  const held = conditions.length === 0 ? "true" : conditions.join(match === "any" ? " OR " : " AND ");
  const words = names.map((name) => writeCondition(cellOf(name), "contains", q ?? null));
  return { cellOf, where: q === undefined ? held : `(${held}) AND (${words.join(" OR ")})` };
}

/** A question about the table `t`, whose cells are texts or null, in SQL: every cell of its answer as a text. */
export function writeQuestion(asked: Asked, names: readonly string[]): string {
  const { cellOf, where } = writeRows(asked, names);
  const { group = [], aggregate, sort = [], columns = names } = asked;
  const page = `LIMIT ${asked.limit ?? 100} OFFSET ${asked.offset ?? 0}`;
  if (group.length === 0 && aggregate === undefined) {
    const order = sort.map(({ column, order: way }) => orderBy(cellOf(column), way === "desc"));
    const shown = columns.slice(0, 100).map((name) => quote(name, '"'));
    return `SELECT ${shown.join(", ")} FROM t WHERE ${where} ORDER BY ${[...order, "rowid"].join(", ")} ${page}`;
  }
  const keys = group.map((one) => writeKey(one, cellOf(one.column)));
  const asks = aggregate ?? [{ op: "count", as: "count" }];
  const outs = [...group.map(({ column }) => column), ...asks.map((one) => one.as ?? nameOf(one))];
  const cells = [...keys, ...asks.map((one) => readAggregate(one, cellOf))];
  const selected = cells.map((cell, at) => `${cell} AS o${at}`).join(", ");
  const by = keys.length === 0 ? "" : `GROUP BY ${keys.map((_, at) => at + 1).join(", ")}`;
  const order = sort.map(({ column, order: way }) => {
    const cell = `o${outs.indexOf(column)}`;
    const isFigure = !["min", "max"].includes(asks[outs.indexOf(column) - keys.length]?.op ?? "min");
    return orderBy(cell, way === "desc", isFigure ? `${cell}::DOUBLE` : numberOf(cell));
  });
  const shown = outs.map((_, at) => `o${at}`).join(", ");
  return `SELECT ${shown} FROM (SELECT ${selected}, min(rowid) AS place FROM t WHERE ${where} ${by}) ORDER BY ${[...order, "place"].join(", ")} ${page}`;
}

/** The name of an aggregate without one of its own. */
export const nameOf = ({ op, column }: { op: string; column?: string }) =>
  column === undefined ? op : `${op}_${column}`;

/** What the matching rows hold in a column: each value, its count and the order of its first row. */
export function writeFacet(asked: Asked, names: readonly string[], column: string): string {
  const { cellOf, where } = writeRows(asked, names);
  return `SELECT ${cellOf(column)}, count(*)::INTEGER FROM t WHERE ${where} GROUP BY 1 ORDER BY 2 DESC, min(rowid)`;
}
