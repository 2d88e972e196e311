import type { FileFormat } from "../../../../../shared/tables/inspection/verdict.ts";
import type { FilterOp } from "../../../../../shared/tables/rows/conditions.ts";
import type { RowsQuery } from "../../../../../shared/tables/rows/query.ts";
import { areCodes, typeOfCode } from "../../inspection/oracle/cell-types.ts";
import { readCsvRecords } from "../../inspection/oracle/csv-records.ts";
import { type JsonValue, readJson } from "../../inspection/oracle/json-value.ts";
import { streamBytes } from "../../inspection/sources.ts";
import { holds } from "./condition.ts";

/** A cell as its text, null when blank, and as the JSON of an answer. */
interface Cell {
  text: string | null;
  json: string;
}

/** A table that is all in memory. */
export interface OracleTable {
  columns: string[];
  rows: Cell[][];
  /** The columns whose numbers are texts, as identifiers are. */
  ofTexts?: Set<string>;
}

/** Reads a table from the whole file; `name` is the key of its list in a document. */
export async function readTable(
  content: Buffer,
  format: FileFormat,
  name: string | null,
): Promise<OracleTable> {
  return format === "csv" ? await readCsvTable(content) : readJsonTable(content, name);
}

async function readCsvTable(content: Buffer): Promise<OracleTable> {
  const records: string[][] = [];
  for await (const batch of readCsvRecords(streamBytes(content)))
    for (const record of batch) records.push(record);
  const [columns = [], ...rows] = records;
  const ofTexts = columns.filter((_, at) => areIdentifiers(rows.map((row) => row[at] ?? "")));
  return { columns, rows: rows.map((row) => row.map(toCell)), ofTexts: new Set(ofTexts) };
}

/** Whether numbers of a column are codes, and it holds nothing but texts beside them. */
function areIdentifiers(cells: string[]): boolean {
  return areCodes(cells) && cells.every((cell) => cell === "" || typeOfCode(cell) === "text");
}

const BLANK: Cell = { text: null, json: "null" };

function toCell(text: string): Cell {
  return text === "" ? BLANK : { text, json: JSON.stringify(text) };
}

function readJsonTable(content: Buffer, name: string | null): OracleTable {
  const document = readJson(content.toString().replace(/^\ufeff/, ""));
  const list = name === null ? document : document.members.get(name);
  const records = list?.items ?? [];
  const columns = [...new Set(records.flatMap((record) => [...record.members.keys()]))];
  return {
    columns,
    rows: records.map(({ members }) => columns.map((column) => toJsonCell(members.get(column)))),
  };
}

function toJsonCell(value: JsonValue | undefined): Cell {
  if (value === undefined || value.type === "null") return BLANK;
  return { text: value.type === "text" ? value.text || null : value.json, json: value.json };
}

/** What the rows reader has to answer to a query that names no unknown column, as JSON text. */
export function answerRows(
  { columns, rows, ofTexts }: OracleTable,
  query: RowsQuery,
  mostBytes: number,
): string {
  const shown = query.columns ?? columns.slice(0, 100);
  const matching = rows.filter((row) =>
    query.filters.every(({ column, op, value }) =>
      holds(row[columns.indexOf(column)]?.text ?? null, { op: op as FilterOp, value }, ofTexts?.has(column)),
    ),
  );
  if (query.from === "end") matching.reverse();
  const asked = matching
    .slice(query.offset, query.offset + query.limit)
    .map((row) => `[${shown.map((column) => row[columns.indexOf(column)]?.json).join(",")}]`);
  const sent: string[] = [];
  let bytes = 0;
  for (const row of asked) {
    bytes += Buffer.byteLength(row) + ",".length;
    if (bytes > mostBytes && sent.length > 0) break;
    sent.push(row);
  }
  const end = query.offset + sent.length;
  const next = sent.length > 0 && end < matching.length ? end : null;
  const counts = `"returned":${sent.length},"matched":${matching.length},"total":${rows.length}`;
  return `{"columns":${JSON.stringify(shown)},"rows":[${sent.join(",")}],${counts},"next_offset":${next}}`;
}
