/** A row by the names of its columns, each cell as JSON text; a cell without a value is left out. */
export type PlainRow = Map<string, string>;

interface Line {
  change: string;
  base: number | null;
  head: number | null;
  row: PlainRow;
  cells: [name: string, after: string][];
}

/** Applies the lines of all.ndjson to the rows of the older file, as the documentation says. */
export function applyLines(rows: PlainRow[], ndjson: string, firstRow: number): PlainRow[] {
  const lines = ndjson.split("\n").filter(Boolean).map(readLine);
  const named = new Set(lines.map(({ base }) => base));
  const rest = rows.filter((_, at) => !named.has(at + firstRow));
  const placed = new Map<number, PlainRow>();
  for (const line of lines) {
    if (line.head === null) continue;
    const old = line.base === null ? undefined : rows[line.base - firstRow];
    const row = line.change === "added" ? line.row : new Map(old);
    for (const [name, after] of line.cells) row.set(name, after);
    placed.set(line.head - firstRow, row);
  }
  const made = Array.from({ length: rest.length + placed.size }, (_, at) => placed.get(at) ?? rest.shift());
  return made.map((row) => new Map([...(row ?? [])].filter(([, json]) => json !== "null")));
}

type Source = { source?: string };

/** A number as it is written, with a mark that no text of a file begins with. */
const MARK = "\u0007digits:";

function keepDigits(_: string, value: unknown, context?: Source): unknown {
  return typeof value === "number" ? MARK + context?.source : value;
}

function toJson(value: unknown): string {
  if (typeof value === "string" && value.startsWith(MARK)) return value.slice(MARK.length);
  if (Array.isArray(value)) return `[${value.map(toJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, item]) => `${JSON.stringify(name)}:${toJson(item)}`)
    .join(",")}}`;
}

function readLine(text: string): Line {
  const { change, base_row, head_row, row, cells } = JSON.parse(text, keepDigits);
  const toNumber = (number: string | null) => (number === null ? null : Number(toJson(number)));
  return {
    change,
    base: toNumber(base_row),
    head: toNumber(head_row),
    row: new Map(Object.entries(row ?? {}).map(([name, cell]) => [name, toJson(cell)])),
    cells: Object.entries(cells ?? {}).map(([name, pair]) => [name, toJson((pair as unknown[])[1])]),
  };
}
