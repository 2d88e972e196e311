import { holds } from "../../rows/oracle/condition.ts";
import type { OracleTable } from "../../rows/oracle/table.ts";
import { writePart } from "./dates.ts";
import {
  add,
  compareFractions,
  type Fraction,
  isNumeric,
  toDecimal,
  toDouble,
  toFraction,
} from "./numbers.ts";

/** A question as JSON, by the names of the contract. */
export interface Asked {
  filter?: { column: string; op: string; value?: string | string[] }[];
  match?: string;
  q?: string;
  blank?: string[];
  group?: { column: string; by?: string; step?: string | number }[];
  aggregate?: { op: string; column?: string; as?: string }[];
  having?: { column: string; op: string; value?: string | string[] }[];
  sort?: { column: string; order?: string }[];
  columns?: string[];
  facet?: string[];
  facet_size?: number;
  offset?: number;
  limit?: number;
}

/** A cell of an answer: its text, null when blank, its JSON, and what it is in a sort. */
interface Cell {
  text: string | null;
  json: string;
  kind: number;
}

/** What a cell is refused for. */
export class Refused extends Error {
  readonly field: string;
  readonly row: number;
  constructor(field: string, row: number) {
    super(field);
    this.field = field;
    this.row = row;
  }
}

const [NUMBER, TEXT, BOOLEAN, NESTED] = [1, 2, 3, 4];
const NONE: Cell = { text: null, json: "null", kind: 0 };

function kindOf(json: string, isCsv: boolean, text: string): number {
  if (isCsv) return isNumeric(text) ? NUMBER : TEXT;
  if (json.startsWith('"')) return TEXT;
  if (json === "true" || json === "false") return BOOLEAN;
  return /^[[{]/.test(json) ? NESTED : NUMBER;
}

function compareCells(one: Cell, other: Cell): number {
  if (one.kind !== other.kind) return one.kind - other.kind;
  const [left, right] = [one.text ?? "", other.text ?? ""];
  if (one.kind === NUMBER) return compareFractions(toFraction(left), toFraction(right));
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Sorts by several columns; blank cells are last both ways, and equal rows keep their order. */
function sortBy<Row>(rows: Row[], sort: Asked["sort"], cellOf: (row: Row, name: string) => Cell): Row[] {
  const compare = (one: Row, other: Row): number => {
    for (const { column, order } of sort ?? []) {
      const difference = compareWithBlanks(cellOf(one, column), cellOf(other, column), order === "desc");
      if (difference !== 0) return difference;
    }
    return 0;
  };
  return rows.toSorted(compare);
}

function compareWithBlanks(one: Cell, other: Cell, isDescending: boolean): number {
  if (one.text === null || other.text === null)
    return Number(one.text === null) - Number(other.text === null);
  return isDescending ? compareCells(other, one) : compareCells(one, other);
}

type Condition = NonNullable<Asked["filter"]>[number];

function meets(cell: Cell, { op, value }: Condition): boolean {
  if (op === "in") {
    return [value ?? []].flat().some((one) => holds(cell.text, { op: "eq", value: one }));
  }
  return holds(cell.text, { op: op as "eq", value: (value as string | undefined) ?? null });
}

/** The answer to a question as the contract has it: every member that depends on the rows. */
export function answer({ columns, rows }: OracleTable, asked: Asked, isCsv: boolean) {
  const blank = new Set(asked.blank ?? []);
  const cellAt = (row: number, name: string): Cell => {
    const cell = rows[row]?.[columns.indexOf(name)];
    if (cell === undefined || cell.text === null || blank.has(cell.text)) return NONE;
    return { text: cell.text, json: cell.json, kind: kindOf(cell.json, isCsv, cell.text) };
  };
  const fold = (text: string) => text.toLowerCase().replaceAll("ς", "σ");
  const matching = rows.flatMap((_, row) => {
    const met = (asked.filter ?? []).map((condition) => meets(cellAt(row, condition.column), condition));
    const holdsAll = asked.match === "any" && met.length > 0 ? met.includes(true) : !met.includes(false);
    const q = asked.q;
    const found = !q || columns.some((name) => fold(cellAt(row, name).text ?? "").includes(fold(q)));
    return holdsAll && found ? [row] : [];
  });
  const isGrouped = asked.group !== undefined || asked.aggregate !== undefined;
  const result = isGrouped
    ? groupRows(asked, matching, cellAt, isCsv)
    : {
        columns: asked.columns ?? columns.slice(0, 100),
        rows: sortBy(matching, asked.sort, cellAt).map((row) =>
          (asked.columns ?? columns.slice(0, 100)).map(
            (name) => rows[row]?.[columns.indexOf(name)]?.json ?? "",
          ),
        ),
      };
  const offset = asked.offset ?? 0;
  const page = result.rows.slice(offset, offset + Math.min(asked.limit ?? 100, 500));
  const end = offset + page.length;
  return {
    columns: result.columns,
    rows: `[${page.map((row) => `[${row.join(",")}]`).join(",")}]`,
    returned: page.length,
    matched: matching.length,
    groups: asked.group === undefined ? null : result.rows.length,
    total: rows.length,
    next_offset: page.length > 0 && end < result.rows.length ? end : null,
    facets: `[${(asked.facet ?? []).map((name) => countFacet(asked, name, matching, cellAt)).join(",")}]`,
  };
}

type CellAt = (row: number, name: string) => Cell;

function countFacet(asked: Asked, name: string, matching: number[], cellAt: CellAt): string {
  const counts = new Map<string, number>();
  let blanks = 0;
  for (const row of matching) {
    const { text, json } = cellAt(row, name);
    if (text === null) blanks++;
    else counts.set(json, (counts.get(json) ?? 0) + 1);
  }
  const sorted = [...counts].sort((one, other) => other[1] - one[1]);
  const shown = sorted.slice(0, Math.min(asked.facet_size ?? 10, 100));
  const others = sorted.slice(shown.length).reduce((sum, [, count]) => sum + count, 0);
  const values = shown.map(([value, count]) => `{"value":${value},"count":${count}}`).join(",");
  return `{"column":${JSON.stringify(name)},"distinct":${counts.size},"blanks":${blanks},"values":[${values}],"others":${others}}`;
}

function groupRows(asked: Asked, matching: number[], cellAt: CellAt, isCsv: boolean) {
  const groups = asked.group ?? [];
  const aggregates = asked.aggregate ?? [{ op: "count" }];
  const refuse = (field: string, row: number): never => {
    throw new Refused(field, row + (isCsv ? 2 : 1));
  };
  // A refusal names the first matching row of the first group that cannot take it.
  const keys = groups.map((group, index) =>
    matching.map((row) =>
      keyOf(cellAt(row, group.column), group, (member) => refuse(`group.${index}.${member}`, row)),
    ),
  );
  const found = new Map<string, { keys: Cell[]; rows: number[] }>();
  for (const [place, row] of matching.entries()) {
    const own = keys.map((cells) => cells[place] ?? NONE);
    const name = JSON.stringify(own.map(({ json }) => json));
    const group = found.get(name) ?? { keys: own, rows: [] };
    found.set(name, group);
    group.rows.push(row);
  }
  if (groups.length === 0) found.set("", found.get("[]") ?? { keys: [], rows: [] });
  if (groups.length === 0) found.delete("[]");
  for (const [index, { op, column = "" }] of aggregates.entries()) {
    if (!["sum", "avg", "median"].includes(op)) continue;
    const wrong = matching.find((row) => cellAt(row, column).kind > NUMBER);
    if (wrong !== undefined) refuse(`aggregate.${index}.column`, wrong);
  }
  const columns = [
    ...groups.map(({ column }) => column),
    ...aggregates.map(({ op, column, as }) => as ?? (column === undefined ? op : `${op}_${column}`)),
  ];
  const all = [...found.values()].map((group) => [
    ...group.keys,
    ...aggregates.map(({ op, column }) =>
      aggregate(
        op,
        column === undefined ? null : group.rows.map((row) => cellAt(row, column)),
        group.rows.length,
      ),
    ),
  ]);
  const cellOf = (row: Cell[], name: string): Cell => row[columns.indexOf(name)] ?? NONE;
  const kept = all.filter((row) => (asked.having ?? []).every((one) => meets(cellOf(row, one.column), one)));
  return { columns, rows: sortBy(kept, asked.sort, cellOf).map((row) => row.map(({ json }) => json)) };
}

function keyOf(
  cell: Cell,
  group: NonNullable<Asked["group"]>[number],
  refuse: (member: string) => never,
): Cell {
  if (cell.text === null) return NONE;
  if (group.by !== undefined) {
    const part = cell.kind === TEXT ? writePart(cell.text, group.by) : null;
    return part === null ? refuse("by") : { text: part, json: JSON.stringify(part), kind: TEXT };
  }
  if (group.step === undefined) return cell;
  if (cell.kind !== NUMBER) return refuse("step");
  const [value, step] = [toFraction(cell.text), toFraction(String(group.step))];
  const over = value.over * step.under;
  const under = value.under * step.over;
  const whole = over / under - (over % under < 0n ? 1n : 0n);
  const edge = toDecimal({ over: whole * step.over, under: step.under });
  return { text: edge, json: edge, kind: NUMBER };
}

const numberCell = (text: string): Cell => ({ text, json: text, kind: NUMBER });

function aggregate(op: string, cells: Cell[] | null, rowCount: number): Cell {
  if (cells === null) return numberCell(String(rowCount));
  const filled = cells.filter(({ text }) => text !== null);
  if (op === "count") return numberCell(String(filled.length));
  if (op === "count_distinct") return numberCell(String(new Set(filled.map(({ json }) => json)).size));
  if (filled.length === 0) return NONE;
  if (op === "min" || op === "max") {
    const sign = op === "min" ? 1 : -1;
    return filled.reduce((best, cell) => (sign * compareCells(cell, best) < 0 ? cell : best));
  }
  const values = filled.map(({ text }) => toFraction(text ?? "0"));
  const zero: Fraction = { over: 0n, under: 1n };
  const sum = values.reduce(add, zero);
  if (op === "sum") return numberCell(toDecimal(sum));
  if (op === "avg")
    return numberCell(String(JSON.stringify(toDouble({ ...sum, under: sum.under * BigInt(values.length) }))));
  const sorted = values.toSorted(compareFractions);
  const [lower = zero, upper = zero] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  const middle = add(lower, upper);
  return numberCell(JSON.stringify(toDouble({ ...middle, under: middle.under * 2n })));
}
