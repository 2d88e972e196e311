import { pick, type Random } from "../inspection/generated.ts";

/** A table in memory; a JSON cell is its JSON text, a CSV cell its text. */
export interface MadeTable {
  columns: string[];
  rows: string[][];
}

/** Two tables, of which the second was made from the first. */
export interface MadePair {
  format: "csv" | "json";
  base: MadeTable;
  head: MadeTable;
}

const NAMES = [
  "id",
  "station",
  "day",
  "height_m",
  "__proto__",
  "a->b",
  'quo"te',
  "key[]",
  "größe",
  "!",
  "constructor",
];
const CSV_CELLS = [
  "",
  "1",
  "1.0",
  "01",
  "x",
  "NULL",
  "_NULL",
  "a->b",
  "->",
  "--->",
  '"',
  "a,b",
  "two\nlines",
  "e\r\nf",
];
const MORE_CSV_CELLS = [" x", "x ", "1e999999", "+++", "---", "@@", "...", "日本", "é", "-", "!", ":"];
const JSON_CELLS = [
  "null",
  '""',
  "1",
  "1.0",
  "1e0",
  '"x"',
  '"\\u0078"',
  "true",
  "false",
  '"1"',
  "[1, 2]",
  "[1,2]",
];
const MORE_JSON_CELLS = [
  '{"a": 1}',
  '{"a":1}',
  '"a->b"',
  '"two\\nlines"',
  "1e999999",
  '"\\ud83d\\ude00"',
  '"😀"',
  "-0",
];

/** A seeded pair; half of them have a column that numbers the rows of the base. */
export function makePair(random: Random): MadePair {
  const format = random() < 0.6 ? "csv" : "json";
  const cells = format === "csv" ? [...CSV_CELLS, ...MORE_CSV_CELLS] : [...JSON_CELLS, ...MORE_JSON_CELLS];
  const columns = chooseNames(random, 1 + Math.floor(random() * 5));
  const isKeyed = random() < 0.6;
  const few = random() < 0.5 ? cells.slice(0, 4) : cells;
  let last = 0;
  const makeRow = (): string[] =>
    columns.map((_, at) => (at === 0 && isKeyed ? String(++last) : pick(random, few)));
  const base = { columns, rows: Array.from({ length: Math.floor(random() * 14) }, makeRow) };
  const head = mutate(random, base, cells, makeRow);
  return random() < 0.5 ? { format, base, head } : { format, base: head, head: base };
}

function chooseNames(random: Random, count: number): string[] {
  const names = new Set<string>();
  while (names.size < count) names.add(pick(random, NAMES));
  return [...names];
}

function mutate(
  random: Random,
  { columns, rows }: MadeTable,
  cells: string[],
  makeRow: () => string[],
): MadeTable {
  let changed = rows.map((row) => [...row]);
  const first = random() < 0.9 ? 1 : 0;
  for (let times = Math.floor(random() * 4); times > 0; times--) {
    const at = Math.floor(random() * changed.length);
    const act = random();
    if (act < 0.25) changed.splice(at, 1);
    else if (act < 0.5) changed.splice(at, 0, makeRow());
    else if (act < 0.6) changed.splice(Math.floor(random() * changed.length), 0, ...changed.splice(at, 1));
    else if (act < 0.65) changed.reverse();
    else {
      const column = Math.min(first + Math.floor(random() * columns.length), columns.length - 1);
      changed = changed.map((row, place) =>
        place === at && (column >= first || columns.length === 1)
          ? row.with(column, pick(random, cells))
          : row,
      );
    }
  }
  return random() < 0.3
    ? changeColumns(random, { columns, rows: changed }, cells)
    : { columns, rows: changed };
}

function changeColumns(random: Random, { columns, rows }: MadeTable, cells: string[]): MadeTable {
  const act = random();
  const at = Math.floor(random() * columns.length);
  if (act < 0.4 && columns.length > 1)
    return { columns: columns.toSpliced(at, 1), rows: rows.map((row) => row.toSpliced(at, 1)) };
  if (act < 0.7) {
    const name = NAMES.find((one) => !columns.includes(one)) ?? "more";
    const blank = cells.includes("null") ? "null" : "";
    const isBlank = random() < 0.5;
    const makeCell = () => (isBlank ? blank : pick(random, cells));
    return {
      columns: columns.toSpliced(at, 0, name),
      rows: rows.map((row) => row.toSpliced(at, 0, makeCell())),
    };
  }
  return { columns: columns.toReversed(), rows: rows.map((row) => row.toReversed()) };
}

/** A table as a file; a CSV of one column has quotes around its blank cells. */
export function writeTable(format: "csv" | "json", { columns, rows }: MadeTable): string {
  if (format === "csv") {
    const lines = [columns, ...rows].map((row) => row.map((cell) => quote(cell, row.length === 1)).join(","));
    return `${lines.join("\r\n")}\r\n`;
  }
  const records = rows.map((row) => {
    const members = row.map((cell, at) => `${JSON.stringify(columns[at])}: ${cell}`);
    return `{${members.join(", ")}}`;
  });
  return `[${records.join(",\n ")}]`;
}

function quote(cell: string, isAlone: boolean): string {
  return /[",\r\n]/.test(cell) || (isAlone && cell === "") ? `"${cell.replaceAll('"', '""')}"` : cell;
}
