import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import Papa from "papaparse";
import { jsonParser } from "stream-json/core/parser.js";
import { MARKS } from "../../shared/tables/inspection/cell-marks.ts";
import {
  type ColumnTally,
  classifyCsvText,
  finishColumn,
  KIND_BITS,
  kindsOfCsv,
} from "../../shared/tables/inspection/column-types.ts";
import { isDateText } from "../../shared/tables/inspection/dates.ts";
import { inspectFile } from "../../shared/tables/inspection/inspect.ts";
import type { Column } from "../../shared/tables/inspection/verdict.ts";
import { createRecordWalk } from "../shared/tables/inspection/oracle/json-records.ts";

/** Pieces of 256 KiB for every candidate. */
const READS = { highWaterMark: 262_144 };

/** What every candidate finds out; ours finds more. */
export interface Found {
  rows: number;
  columns: Column[];
}

/** The whole work of an upload on a stored file: hash, UTF-8, structure, types, blanks, sample, reading index. */
export async function inspectWhole(path: string, format: "csv" | "json"): Promise<Found> {
  const hash = createHash("sha256");
  const verdict = await inspectFile(hashing(createReadStream(path, READS), hash), format);
  hash.digest("hex");
  if (!verdict.ok || verdict.inspection?.kind !== "table") throw new Error("the bench's file is no table");
  return { rows: verdict.inspection.row_count, columns: verdict.inspection.columns };
}

async function* hashing(
  source: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}

/**
 * papaparse on a stream of text, chunk by chunk, with the same typing. Its parser is fed by hand: its own streamer for
 * Node's streams takes half again the time.
 */
export async function inspectByPapaparse(path: string): Promise<Found> {
  const columns: ColumnTally[] = [];
  let rows = 0;
  let rest = "";
  const take = (records: string[][]): void => {
    for (const record of records) {
      if (columns.length === 0) columns.push(...record.map(startTally));
      else {
        rows++;
        for (let at = 0; at < columns.length; at++)
          tallyCsvCell(columns[at] as ColumnTally, record[at] ?? "");
      }
    }
  };
  let newline: "\n" | "\r\n" | null = null;
  for await (const text of createReadStream(path, { ...READS, encoding: "utf8" })) {
    const whole: string = rest + text;
    newline ??= whole.includes("\r\n") ? "\r\n" : "\n";
    const result = new Papa.Parser({ delimiter: ",", newline }).parse(whole, 0, true);
    take(result.data);
    rest = whole.slice(result.meta.cursor);
  }
  if (rest !== "")
    take(new Papa.Parser({ delimiter: ",", newline: newline ?? "\n" }).parse(rest, 0, false).data);
  return { rows, columns: columns.map(finishCsv(rows)) };
}

const finishCsv = (rows: number) => (tally: ColumnTally) =>
  finishColumn({ ...tally, kinds: kindsOfCsv(tally.kinds) }, rows);

/** Loads the CSV into a table, types by sample. */
export const DUCKDB_LOAD = "CREATE OR REPLACE TABLE loaded AS SELECT * FROM read_csv($path)";

export async function loadByDuckdb(connection: DuckDBConnection, path: string): Promise<number> {
  await connection.run(DUCKDB_LOAD.replace("$path", `'${path}'`));
  const reader = await connection.runAndReadAll("SELECT count(*) FROM loaded");
  return Number(reader.getRows()[0]?.[0]);
}

/** JSON.parse of the whole file, and the same typing of its values. */
export function inspectByJsonParse(path: string): Found {
  const records: Record<string, unknown>[] = JSON.parse(readFileSync(path, "utf8"));
  const columns = new Map<string, ColumnTally>();
  for (const record of records) {
    for (const name in record) {
      tallyValue(tallyOf(columns, name), record[name]);
    }
  }
  return {
    rows: records.length,
    columns: Array.from(columns.values(), (one) => finishColumn(one, records.length)),
  };
}

function tallyOf(columns: Map<string, ColumnTally>, name: string): ColumnTally {
  const known = columns.get(name);
  if (known !== undefined) return known;
  const tally = startTally(name);
  columns.set(name, tally);
  return tally;
}

// Without a text of each value: numbers, words and most texts are told by their type alone.
function tallyValue(tally: ColumnTally, value: unknown): void {
  if (value === null || value === "") return;
  if (typeof value === "number") tallyJsonCell(tally, "0");
  else if (typeof value === "boolean") tallyJsonCell(tally, "true");
  else if (typeof value === "string") tallyJsonCell(tally, value.charCodeAt(4) === 45 ? `"${value}"` : '"x"');
  else tallyJsonCell(tally, Array.isArray(value) ? "[]" : "{}");
}

/** stream-json, its tokens packed and in batches, with the same typing. */
export async function inspectByStreamJson(path: string): Promise<Found> {
  const columns = new Map<string, ColumnTally>();
  let rows = 0;
  const walk = createRecordWalk({
    startList: () => true,
    endList: () => {},
    record: (record) => {
      rows++;
      for (const [name, json] of record) {
        tallyJsonCell(tallyOf(columns, name), json);
      }
    },
  });
  const parse = jsonParser({ streamValues: false });
  for await (const text of createReadStream(path, { ...READS, encoding: "utf8" })) {
    const result = parse(text);
    if (typeof result === "symbol" || !result || !("values" in result)) continue;
    for (const token of result.values) walk(token);
  }
  return { rows, columns: Array.from(columns.values(), (tally) => finishColumn(tally, rows)) };
}

/** The tally of a column before its first cell. */
function startTally(name: string): ColumnTally {
  return { name, kinds: 0, filled: 0 };
}

/** Counts a CSV cell (text as written, empty when blank). */
function tallyCsvCell(tally: ColumnTally, cell: string): void {
  if (cell === "") return;
  tally.filled++;
  tally.kinds |= KIND_BITS[classifyCsvText(cell)] | (/^-?0\d/.test(cell) ? MARKS.zero : 0);
}

/** Counts a JSON cell, given as the JSON text of its value. */
function tallyJsonCell(tally: ColumnTally, json: string): void {
  if (isBlankJson(json)) return;
  tally.filled++;
  tally.kinds |= KIND_BITS[classifyJsonText(json)];
}

/** Whether a JSON value, given as JSON text, is blank: null or empty text. */
function isBlankJson(json: string): boolean {
  return json === "null" || json === '""';
}

function classifyJsonText(json: string): keyof typeof KIND_BITS {
  switch (json[0]) {
    case '"':
      return isDateText(json.slice(1, -1)) ? "date" : "text";
    case "{":
      return "object";
    case "[":
      return "array";
    case "t":
    case "f":
      return "boolean";
    default:
      return "number";
  }
}
