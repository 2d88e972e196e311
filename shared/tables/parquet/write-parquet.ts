import { ByteWriter, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import type { FileFormat } from "../inspection/verdict.ts";
import { CELL, type CellPlaces, createPlaces, type RowReader, textOfCell } from "../rows/cells.ts";
import { createReader } from "../rows/reader.ts";
import type { RowsInMemory } from "../rows/windows.ts";
import { readDate } from "../statistics/date-histogram.ts";
import { readNumber } from "../statistics/value-counts.ts";
import { readTime } from "./cells.ts";
import { findKinds, type ParquetKind, type TableToWrite } from "./find-kinds.ts";

/** A value as the writer of Parquet takes it: text stands as its bytes. */
type ParquetValue = bigint | number | boolean | Uint8Array | null;

type ReadCell = (bytes: Buffer, start: number, end: number) => ParquetValue;

const [SMALL_T, CAPITAL_T] = [0x74, 0x54];

const READ: Readonly<Record<Exclude<ParquetKind, "text" | "json">, ReadCell>> = {
  integer: (bytes, start, end) => BigInt(bytes.toString("latin1", start, end)),
  double: readNumber,
  day: (bytes, start, end) => readDate(bytes.toString("latin1", start, end)).day,
  time: (bytes, start, end) => BigInt(readTime(bytes, start, end) ?? 0),
  boolean: (bytes, start) => bytes[start] === SMALL_T || bytes[start] === CAPITAL_T,
};

/** The values of one of the located columns, null where a cell is blank. */
function readCells(
  bytes: Buffer,
  { places, rowCount }: LocatedCells,
  slot: number,
  kind: ParquetKind,
): ParquetValue[] {
  const from = slot * rowCount;
  const values = new Array<ParquetValue>(rowCount).fill(null);
  const read = kind === "text" || kind === "json" ? null : READ[kind];
  for (let row = 0, cell = from; row < rowCount; row++, cell++) {
    const how = places.kinds[cell];
    if (how === CELL.null || how === CELL.empty) continue;
    const isPlain = how === CELL.plain || how === CELL.safe || how === CELL.raw;
    const start = isPlain ? (places.starts[cell] as number) : 0;
    // A date may be written with escapes, too.
    const text = isPlain ? bytes : Buffer.from(textOfCell(bytes, places, cell) ?? "");
    const end = isPlain ? (places.ends[cell] as number) : text.length;
    values[row] = read === null ? text.subarray(start, end) : read(text, start, end);
  }
  return values;
}

const BEHIND_MAGIC = 4n;
/** The most of a table that is one group: readers of a column decompress a group of it at once. */
const GROUP = { rows: 65_536, bytes: 16_777_216 };
/** The cells whose places are in memory at once, at nine bytes each. */
const MOST_CELLS = 4_194_304;

const ELEMENTS: Readonly<Record<ParquetKind, Omit<SchemaElement, "name">>> = {
  integer: { type: "INT64" },
  double: { type: "DOUBLE" },
  day: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
  time: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
  boolean: { type: "BOOLEAN" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  // The older mark comes at the end: with it, the library would encode what is JSON already.
  json: { type: "BYTE_ARRAY", logical_type: { type: "JSON" } },
};

/** Writes a table as Parquet, a group of rows at a time. */
export async function* writeParquet(table: TableToWrite, sourceSha256: string): AsyncGenerator<Uint8Array> {
  const kinds = await findKinds(table);
  const schema = table.columns.map(
    ({ name }, at): SchemaElement => ({
      name,
      repetition_type: "OPTIONAL",
      ...ELEMENTS[kinds[at] as ParquetKind],
    }),
  );
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({
    writer,
    schema: [{ name: "root", num_children: schema.length }, ...schema],
    kvMetadata: [{ key: "source_sha256", value: sourceSha256 }],
    createdBy: "Broadsheet",
  });
  const names = table.columns.map(({ name }) => name);
  for await (const rows of table.read(GROUP)) {
    const columnData = readGroup(table.format, { names, kinds }, rows);
    parquet.write({ columnData, rowGroupSize: rows.rowCount });
    dropBounds(parquet, kinds);
    yield takeBytes(writer);
  }
  if (table.rowCount === 0) parquet.row_groups.push(makeEmptyGroup(schema));
  for (const [at, element] of schema.entries()) if (kinds[at] === "json") element.converted_type = "JSON";
  parquet.finish();
  yield takeBytes(writer);
}

/** A group without rows: the library writes a list without groups as one of bytes, which parquet-wasm refuses. */
function makeEmptyGroup(schema: readonly SchemaElement[]): ParquetWriter["row_groups"][number] {
  const nothing = {
    ...{ encodings: ["PLAIN" as const], codec: "SNAPPY" as const, statistics: { null_count: 0n } },
    ...{ num_values: 0n, total_uncompressed_size: 0n, total_compressed_size: 0n },
    data_page_offset: BEHIND_MAGIC,
  };
  const columns = schema.map(({ name, type = "BYTE_ARRAY" }) => ({
    file_offset: 0n,
    meta_data: { type, path_in_schema: [name], ...nothing },
  }));
  return { columns, total_byte_size: 0n, num_rows: 0n };
}

/** The smallest and the largest of JSON texts say nothing, and would stand whole in the footer. */
function dropBounds({ row_groups: groups }: ParquetWriter, kinds: readonly ParquetKind[]): void {
  for (const [at, { meta_data: data }] of (groups.at(-1)?.columns ?? []).entries()) {
    const { null_count } = data?.statistics ?? {};
    if (kinds[at] === "json" && data !== undefined && null_count !== undefined)
      data.statistics = { null_count };
  }
}

function takeBytes(writer: ByteWriter): Uint8Array {
  const piece = Uint8Array.from(writer.getBytes());
  writer.index = 0;
  return piece;
}

/** The columns of a group of rows; each is read when the writer comes to it, so that one is in memory at a time. */
function readGroup(
  format: FileFormat,
  { names, kinds }: { names: readonly string[]; kinds: readonly ParquetKind[] },
  rows: RowsInMemory,
) {
  const width = Math.max(1, Math.floor(MOST_CELLS / rows.rowCount));
  let located: (LocatedCells & { first: number }) | null = null;
  let last: { at: number; values: ParquetValue[] } | null = null;
  const locate = (at: number) => {
    const first = at - (at % width);
    if (located?.first !== first) {
      const wanted = names.slice(first, first + width);
      const reader = createReader({ format, tableColumns: [...names] }, wanted);
      located = { first, ...locateCells(rows, reader, wanted.length) };
    }
    return located;
  };
  const load = (at: number): ParquetValue[] => {
    const cells = locate(at);
    if (last?.at !== at) {
      const values = readCells(rows.bytes, cells, at - cells.first, kinds[at] as ParquetKind);
      last = { at, values };
    }
    return last.values;
  };
  return names.map((name, at) => ({
    name,
    get data() {
      return load(at);
    },
    // The library's list of distinct values takes -0 for 0.
    get encoding() {
      const isDouble = kinds[at] === "double";
      return isDouble && load(at).some((value) => Object.is(value, -0)) ? ("PLAIN" as const) : undefined;
    },
  }));
}

/** The cells of some columns over some rows: those of one column stand side by side. */
interface LocatedCells {
  places: CellPlaces;
  rowCount: number;
}

/** Locates the cells of the reader's first `width` columns. */
function locateCells(
  { bytes, at: from, rowCount }: RowsInMemory,
  reader: RowReader,
  width: number,
): LocatedCells {
  const places = createPlaces(width * rowCount);
  const { starts, ends, kinds } = reader.places;
  let at = from;
  for (let row = 0; row < rowCount; row++) {
    at = reader.locate(bytes, at);
    for (let slot = 0, cell = row; slot < width; slot++, cell += rowCount) {
      places.starts[cell] = starts[slot] as number;
      places.ends[cell] = ends[slot] as number;
      places.kinds[cell] = kinds[slot] as number;
    }
  }
  return { places, rowCount };
}
