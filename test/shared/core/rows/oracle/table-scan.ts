import { isBlankJson } from "../../../../../shared/core/inspect/column-types.ts";
import { readCsvRecords } from "../../inspect/oracle/csv-records.ts";
import { createRecordWalk, type JsonRecord } from "../../inspect/oracle/json-records.ts";
import { readJsonTokens } from "../../inspect/oracle/json-tokens.ts";

/**
 * A way to go through the rows of one table. The reader asks nothing else of a file, so an index made at inspection
 * can take the place of the scans below.
 */
export interface TableScan<Row> {
  columns: string[];
  /** The rows from the first on, in batches; asked again, it starts again. */
  scan(): AsyncIterable<Row[]>;
  /** A cell as text for comparison, null when blank. */
  textOf(row: Row, column: number): string | null;
  /** A cell as JSON text for the answer. */
  jsonOf(row: Row, column: number): string;
}

export type Source = () => AsyncIterable<Uint8Array>;

/** Scans a CSV file that passed inspection. */
export function scanCsv(source: Source, columns: string[]): TableScan<string[]> {
  return {
    columns,
    scan: () => readDataRecords(source()),
    textOf: (row, column) => row[column] || null,
    jsonOf: (row, column) => (row[column] ? JSON.stringify(row[column]) : "null"),
  };
}

async function* readDataRecords(source: AsyncIterable<Uint8Array>): AsyncGenerator<string[][]> {
  let isStart = true;
  for await (const records of readCsvRecords(source)) {
    const rows: string[][] = isStart ? records.slice(1) : records;
    isStart = false;
    yield rows;
  }
}

/** Scans one record list of a JSON file that passed inspection: the whole document, or the member at a position. */
export function scanJson(
  source: Source,
  columns: string[],
  member: { position: number } | null,
): TableScan<JsonRecord> {
  return {
    columns,
    scan: () => readRecords(source(), member),
    textOf: (row, column) => textOfJson(row.get(columns[column] ?? "")),
    jsonOf: (row, column) => row.get(columns[column] ?? "") ?? "null",
  };
}

async function* readRecords(
  source: AsyncIterable<Uint8Array>,
  member: { position: number } | null,
): AsyncGenerator<JsonRecord[]> {
  let rows: JsonRecord[] = [];
  let isDone = false;
  const walk = createRecordWalk({
    startList: (name, position) =>
      member === null ? name === null : name !== null && position === member.position,
    record: (record) => rows.push(record),
    endList: () => {
      isDone = true;
    },
  });
  for await (const tokens of readJsonTokens(source)) {
    for (const token of tokens) walk(token);
    if (rows.length > 0) yield rows;
    rows = [];
    if (isDone) return;
  }
}

function textOfJson(json: string | undefined): string | null {
  if (json === undefined || isBlankJson(json)) return null;
  return json.startsWith('"') ? JSON.parse(json) : json;
}
