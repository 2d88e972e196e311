import { Field, makeData, RecordBatch, RecordBatchStreamWriter, Schema, Struct } from "apache-arrow";
import {
  Compression,
  EnabledStatistics,
  Table,
  transformParquetStream,
  type WriterProperties,
  WriterPropertiesBuilder,
  type RecordBatch as WrittenBatch,
} from "parquet-wasm";
import { createReader, eachFilledIn } from "../rows/reader.ts";
import { takeCell } from "../statistics/value-counts.ts";
import { type ColumnValues, startColumn, TYPES } from "./column-values.ts";
import { findKinds, type ParquetKind, type TableToWrite } from "./find-kinds.ts";
import { markJson } from "./mark-json.ts";

/** The most of a table that is one group: readers of a column decompress a group of it at once. */
const GROUP = { rows: 65_536, bytes: 16_777_216 };
/** A column of more different values is written as it is: the library's own limit takes half as long again, and a fourth more room. */
const MOST_DICTIONARY_BYTES = 65_536;
/** The most cells that are handed to the library at once: some fifty bytes each are in memory. */
const MOST_CELLS = 1_048_576;

/** Writes a table as Parquet, a group of rows at a time. */
export async function* writeParquet(table: TableToWrite, sourceSha256: string): AsyncGenerator<Uint8Array> {
  const kinds = await findKinds(table);
  const reading: Reading = { isWanted: true, error: null };
  const batches = ReadableStream.from(readWhileWanted(readBatches(table, kinds), reading));
  // The footer comes whole with the last piece.
  let last: Uint8Array | null = null;
  try {
    for await (const piece of await transformParquetStream(batches, describeFile(sourceSha256))) {
      if (last !== null) yield last;
      last = piece;
    }
  } catch (error) {
    throw reading.error ?? error;
  } finally {
    reading.isWanted = false;
  }
  if (reading.error !== null || last === null) throw reading.error ?? new Error("no Parquet was written");
  markJson(last, kinds);
  yield last;
}

/** What the library does not tell whom it reads from, and whom it writes for. */
interface Reading {
  isWanted: boolean;
  error: unknown;
}

/** Ends where nobody takes the file any more. The library takes an error for the end of the rows, so it is kept here. */
async function* readWhileWanted(batches: AsyncIterable<WrittenBatch>, reading: Reading) {
  try {
    for await (const batch of batches) {
      if (!reading.isWanted) return;
      yield batch;
    }
  } catch (error) {
    reading.error = error;
  }
}

function describeFile(sourceSha256: string): WriterProperties {
  return new WriterPropertiesBuilder()
    .setCompression(Compression.SNAPPY)
    .setStatisticsEnabled(EnabledStatistics.Chunk)
    .setMaxRowGroupSize(GROUP.rows)
    .setMaxRowGroupBytes(GROUP.bytes)
    .setDictionaryPageSizeLimit(MOST_DICTIONARY_BYTES)
    .setKeyValueMetadata(new Map([["source_sha256", sourceSha256]]))
    .setCreatedBy("Broadsheet")
    .build();
}

/** The rows of a table in the memory of the library, some at a time; of a table without rows, none once. */
async function* readBatches(
  table: TableToWrite,
  kinds: readonly ParquetKind[],
): AsyncGenerator<WrittenBatch> {
  const names = table.columns.map(({ name }) => name);
  const schema = new Schema(names.map((name, at) => new Field(name, TYPES[kinds[at] as ParquetKind], true)));
  const reader = createReader({ format: table.format, tableColumns: names }, names);
  const rows = Math.min(GROUP.rows, Math.max(1, Math.floor(MOST_CELLS / names.length)));
  const start = (count: number) => kinds.map((kind) => startColumn(kind, count));
  for await (const window of table.read({ ...GROUP, rows })) {
    const columns = start(window.rowCount);
    eachFilledIn(reader, window, (slot, row) => {
      const take = (column: ColumnValues, bytes: Buffer, start: number, end: number) =>
        column.take(bytes, start, end, row);
      takeCell(take, columns[slot] as ColumnValues, window.bytes, reader.places, slot);
    });
    yield toBatch(schema, window.rowCount, columns);
  }
  if (table.rowCount === 0) yield toBatch(schema, 0, start(0));
}

function toBatch(schema: Schema, length: number, columns: readonly ColumnValues[]): WrittenBatch {
  const children = columns.map((column) => column.data());
  const data = makeData({ type: new Struct(schema.fields), length, nullCount: 0, children });
  const batch = new RecordBatch(schema, data);
  const table = Table.fromIPCStream(RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true));
  const [written] = table.recordBatches();
  table.free();
  if (written === undefined) throw new Error("the library read no rows");
  return written;
}
