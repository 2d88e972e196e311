import { parseExportQuery } from "../../../../shared/tables/rows/query.ts";
import { pick, type Random, repeat } from "../inspection/generated.ts";
import { answerRows, type OracleTable, readTable } from "./oracle/table.ts";
import type { ReadyFile, RowsData } from "./reading.ts";

const OPS = ["eq", "ne", "gt", "gte", "lt", "lte", "contains"];
const VALUES = [
  ...[
    "",
    "0",
    "-1",
    "7",
    "3.5",
    "1e5",
    "100000",
    "12345678901234567890.5",
    "-",
    "2026",
    "2026-01-31",
    "true",
    "a",
  ],
  ...[
    "X",
    "É",
    "日",
    "😀",
    "line\nbreak",
    'say "hi"',
    "[",
    "{",
    "\ufeff",
    "\u2028",
    "1.50",
    "null",
    "E",
    "Σ",
    "\ud83d",
  ],
];

/** A question about named columns, of any kind; with the table half of its values are cells of their column, or begin one. */
export function makeQuery(random: Random, names: readonly string[], table?: OracleTable): URLSearchParams {
  const query = new URLSearchParams();
  const from = pick(random, ["start", "end"]);
  query.set("from", from);
  query.set("offset", String(Math.floor(random() * random() * 16)));
  query.set("limit", String(1 + Math.floor(random() * 12)));
  if (random() < 0.3)
    for (const name of new Set(repeat(random, 3, () => pick(random, names)))) query.append("columns[]", name);
  for (let index = 0; index < Math.floor(random() * 4); index++) {
    const column = pick(random, names);
    const cell = table === undefined || random() < 0.5 ? null : pickCell(random, table, column);
    const value = cell ?? pick(random, VALUES);
    const op = value === "" ? pick(random, OPS.slice(0, 2)) : pick(random, OPS);
    query.set(`filter[${index}][column]`, column);
    query.set(`filter[${index}][op]`, op);
    query.set(`filter[${index}][value]`, value);
  }
  return query;
}

/** A cell of a column, or the beginning of one; null where it has none that may be asked for. */
function pickCell(random: Random, { columns, rows }: OracleTable, column: string): string | null {
  if (rows.length === 0) return null;
  const text = pick(random, rows)[columns.indexOf(column)]?.text ?? "";
  const begun = random() < 0.4 ? [...text].slice(0, 1 + Math.floor(random() * 3)).join("") : text;
  return begun === "" || begun.length > 200 || !begun.isWellFormed() ? null : begun;
}

/** The columns of a file, or of its first table. */
export function listNames({ file }: ReadyFile): string[] {
  const columns =
    file.inspection?.kind === "table" ? file.inspection.columns : (file.tables[0]?.columns ?? []);
  return columns.map((column) => column.name);
}

/** The first table of a file, read whole. */
export async function readFirstTable({ content, file }: ReadyFile): Promise<OracleTable> {
  return await readTable(content, file.format === "csv" ? "csv" : "json", file.tables[0]?.name ?? null);
}

/** Every row that is asked for, by the parsers and without pages. */
export async function readAll(ready: ReadyFile, query: string): Promise<RowsData> {
  const parsed = parseExportQuery(new URLSearchParams(query), "ndjson");
  if (!parsed.ok) throw new Error(`the test asks wrongly: ${query}`);
  const table = await readFirstTable(ready);
  const asked = { ...parsed.query, columns: parsed.query.columns ?? table.columns };
  return JSON.parse(answerRows(table, asked, Number.MAX_SAFE_INTEGER));
}
