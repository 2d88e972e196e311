import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBDateValue, DuckDBInstance, DuckDBTimestampTZValue } from "@duckdb/node-api";
import { parquetMetadata, parquetRead } from "hyparquet";
import type { FileFormat } from "../../../../shared/tables/inspection/verdict.ts";
import { listWrittenTables } from "../../../../shared/tables/parquet/find-kinds.ts";
import { writeParquet } from "../../../../shared/tables/parquet/write-parquet.ts";
import { openTables, prepareFile } from "../rows/reading.ts";

export const SOURCE = "ab".repeat(32);

/** A table of a file as the bytes of a Parquet file. */
export interface Written {
  name: string | null;
  blanks: number[];
  rowCount: number;
  bytes: Buffer;
}

/** Writes every table of a file that may be written. */
export async function writeTables(content: string | Buffer, format: FileFormat): Promise<Written[]> {
  const ready = await prepareFile(content, format);
  const open = openTables(ready);
  const written: Written[] = [];
  for (const { name, position, columns, rowCount } of listWrittenTables(
    ready.file,
    Number.POSITIVE_INFINITY,
  )) {
    const table = { format, columns, rowCount, read: open({ position }) };
    const bytes = Buffer.concat(await Array.fromAsync(writeParquet(table, SOURCE)));
    written.push({ name, rowCount, blanks: columns.map(({ blanks }) => blanks), bytes });
  }
  return written;
}

/** Columns as a reader of Parquet finds them, each cell in the words of the oracle. */
export interface ReadColumns {
  names: string[];
  columns: (string | null)[][];
}

/** A DuckDB that reads files from memory by way of a folder of its own. */
export async function openDuckDb() {
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-parquet-"));
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  let count = 0;
  return {
    async read(bytes: Buffer, wanted: readonly string[] = ["*"]): Promise<ReadColumns> {
      // It remembers files by their names.
      const path = join(folder, `table-${++count}.parquet`);
      await writeFile(path, bytes);
      const reader = await connection.runAndReadAll(`SELECT ${wanted} FROM read_parquet('${path}')`);
      return {
        names: reader.columnNames(),
        columns: reader.getColumns().map((cells) => cells.map(describeCell)),
      };
    },
    ask: async (statement: string) => (await connection.runAndReadAll(statement)).getRowsJson(),
    folder,
    async close() {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true });
    },
  };
}

function describeCell(cell: unknown): string | null {
  if (cell === null || cell === undefined) return null;
  if (typeof cell === "bigint") return `${cell}`;
  if (typeof cell === "number") return `double ${Object.is(cell, -0) ? "-0" : cell}`;
  if (typeof cell === "boolean") return `boolean ${cell}`;
  if (cell instanceof DuckDBDateValue) return `day ${cell.days}`;
  if (cell instanceof DuckDBTimestampTZValue) return `ms ${Number(cell.micros / 1000n)}`;
  return `text ${cell}`;
}

/** The same as hyparquet finds them; it parses JSON, so texts of it are compared as values. */
export async function readByHyparquet(bytes: Buffer): Promise<ReadColumns & { types: string[] }> {
  const buffer = Uint8Array.from(bytes).buffer;
  const { schema, num_rows } = parquetMetadata(buffer);
  const elements = schema.slice(1);
  const columns: (string | null)[][] = elements.map(() => new Array(Number(num_rows)).fill(null));
  const parsers = {
    jsonFromBytes: (text: Uint8Array) => Buffer.from(text).toString(),
    // Its own takes a byte order mark away.
    stringFromBytes: (text: Uint8Array | undefined) => text && Buffer.from(text).toString(),
    dateFromDays: (days: number) => ({ days }),
    timestampFromMilliseconds: (ms: bigint) => ({ ms: Number(ms) }),
  };
  await parquetRead({
    file: { byteLength: buffer.byteLength, slice: (start, end) => buffer.slice(start, end) },
    parsers: parsers as never,
    onComplete: (rows: unknown[][]) => {
      for (const [row, cells] of rows.entries())
        for (const [at, cell] of cells.entries()) (columns[at] ?? [])[row] = describeParsed(cell);
    },
  });
  return { names: elements.map(({ name }) => name), columns, types: elements.map(nameType) };
}

function describeParsed(cell: unknown): string | null {
  if (typeof cell === "object" && cell !== null) {
    if ("days" in cell) return `day ${cell.days}`;
    if ("ms" in cell) return `ms ${cell.ms}`;
  }
  return describeCell(cell);
}

type Element = ReturnType<typeof parquetMetadata>["schema"][number];

function nameType({ type, converted_type, logical_type }: Element): string {
  if (logical_type === undefined) return type ?? "";
  const unit = logical_type.type === "TIMESTAMP" ? [logical_type.unit, logical_type.isAdjustedToUTC] : [];
  if (unit.length > 0 && unit.join() !== "MILLIS,true") return unit.join();
  const older = { STRING: "UTF8", DATE: "DATE", TIMESTAMP: "TIMESTAMP_MILLIS", JSON: "JSON" };
  return Reflect.get(older, logical_type.type) === converted_type ? logical_type.type : `${converted_type}`;
}
