import { randomInt } from "node:crypto";
import { measurePieces, type Pieces } from "../../ground/checksum.ts";
import { type ReadRows, readSentRows, type SentRowsTask } from "../../tables/append/sent-rows.ts";
import { judgeLines, judgeTable, type TableVerdict } from "../../tables/dialects/judge-table.ts";
import type { ValueSet } from "../../tables/dictionary/check-column.ts";
import { checkTable, readValues } from "../../tables/dictionary/check-table.ts";
import type { ReferencedColumn, RuleFault, TableBytes } from "../../tables/dictionary/table-rules.ts";
import { inspectFile } from "../../tables/inspection/inspect.ts";
import { decodeIndex, type ReadingIndex } from "../../tables/inspection/reading-index.ts";
import { type FileFormat, formatAsRead } from "../../tables/inspection/verdict.ts";
import { type RowsPage, readPage } from "../../tables/rows/page.ts";
import { listTables, type RowsPlan } from "../../tables/rows/plan.ts";
import { type ExportPart, type ExportStep, exportWindow } from "../../tables/rows/text-rows.ts";
import {
  buildIndex,
  collectBytes,
  findFirstRow,
  findIndexedTable,
  openTable,
  type ReadTable,
  type RowsWindow,
  readWindow,
  type Source,
} from "../../tables/rows/windows.ts";
import { type MeasuredFile, measureFile } from "../../tables/statistics/measure-table.ts";
import { openFileStore } from "../files/open.ts";
import type { FileStore } from "../files/store.ts";
import type {
  CheckedTables,
  CheckTask,
  InspectTask,
  MeasureTask,
  ParquetTask,
  WrittenParquet,
} from "./tasks.ts";

/** Works on stored files, inside a thread. Each throws `FileMissing` for a missing file. */

const stores = new Map<string, FileStore>();

/** The file store of a task, which a thread opens once. */
function openStore(filesUrl: string): FileStore {
  const store = stores.get(filesUrl) ?? openFileStore(filesUrl);
  stores.set(filesUrl, store);
  return store;
}

/** The bytes of a stored file; a piece of them is valid only until the next one. */
function openSource(filesUrl: string, key: string): Source {
  return (range, into) => openStore(filesUrl).scan(key, range, into && { into });
}

// A row of more has memory of its own, which a collector lets go.
const MOST_ROOM_BYTES = 16_777_217;
let room = Buffer.alloc(0);

/** Where the windows of all stored files stand one after the other: a thread does one task at a time. */
function openRoom(byteCount: number): Buffer {
  if (byteCount > MOST_ROOM_BYTES) return Buffer.allocUnsafeSlow(byteCount);
  if (byteCount > room.length) room = Buffer.allocUnsafeSlow(byteCount);
  return room.subarray(0, byteCount);
}

/** A whole file and a line feed in memory, and its reading index. */
interface OpenFile {
  bytes: Buffer;
  index: ReadingIndex;
}

async function openFile(
  filesUrl: string,
  { key, file, readingIndex }: Pick<ParquetTask, "key" | "file" | "readingIndex">,
): Promise<OpenFile> {
  const source = openSource(filesUrl, key);
  const index = await openIndex(source, file.format, readingIndex);
  return { index, bytes: await collectBytes(source(), Buffer.allocUnsafeSlow(file.bytes + 1)) };
}

async function openIndex(
  source: Source,
  format: FileFormat,
  stored: Uint8Array | null,
): Promise<ReadingIndex> {
  return (stored && decodeIndex(stored)) ?? (await buildIndex(source(), format));
}

/** Inspects a stored file. */
export async function inspectStored(
  { key, format, progress, partFrom, reading }: InspectTask,
  filesUrl: string,
): Promise<TableVerdict> {
  const source = openSource(filesUrl, key);
  const open = () => (progress === undefined ? source() : countBytes(source(), progress));
  if (reading !== undefined && (format === "jsonl" || (format === "csv" && partFrom === undefined))) {
    const { canonicalId, ...options } = reading;
    const stored = {
      store: (pieces: AsyncIterable<Uint8Array>) => storePieces(openStore(filesUrl), canonicalId, pieces),
      openStored: openSource(filesUrl, canonicalId),
    };
    if (format === "jsonl") return await judgeLines(open, { ...stored, partFrom });
    return await judgeTable(open, { ...options, ...stored });
  }
  const verdict = await inspectFile(open(), formatAsRead(format), { partFrom });
  return verdict.ok ? { ...verdict, readAs: null } : { ...verdict, plans: [] };
}

/** Reads rows that were sent as JSON. */
export async function readRowsInThread(task: SentRowsTask): Promise<ReadRows> {
  return readSentRows(task);
}

async function* countBytes(
  source: AsyncIterable<Uint8Array>,
  progress: SharedArrayBuffer,
): AsyncGenerator<Uint8Array> {
  const counter = new Uint32Array(progress);
  // Another pass over the file begins anew.
  Atomics.store(counter, 0, 0);
  for await (const chunk of source) {
    yield chunk;
    Atomics.add(counter, 0, chunk.length);
  }
}

/** Builds the reading index of a stored file that has none. */
export function indexStored(
  { key, format }: { key: string; format: FileFormat },
  filesUrl: string,
): Promise<ReadingIndex> {
  return buildIndex(openSource(filesUrl, key)(), format);
}

/** A page, by the bytes of its windows: of a file in memory, or of the stored one. */
interface PageTask {
  key: string;
  bytes: Uint8Array | null;
  plan: RowsPlan;
  windows: readonly RowsWindow[];
}

/** Reads a page. */
export function readStoredPage({ key, plan, windows, bytes }: PageTask, filesUrl: string): Promise<RowsPage> {
  return readPage(plan, windows, { bytes, source: openSource(filesUrl, key), room: openRoom });
}

/** One step of an export, on a stored file. */
interface ExportTask extends ExportStep {
  key: string;
}

/** Writes the matching rows of one window of an export. */
export async function exportStored(task: ExportTask, filesUrl: string): Promise<ExportPart> {
  return exportWindow(task, await readWindow(openSource(filesUrl, task.key), task.window, openRoom));
}

/** Opens the reading of the tables of a stored file. */
async function openTables(
  filesUrl: string,
  { key, file, readingIndex }: Pick<ParquetTask, "key" | "file" | "readingIndex">,
): Promise<(table: Pick<RowsPlan, "position">) => ReadTable> {
  const source = openSource(filesUrl, key);
  const index = await openIndex(source, file.format, readingIndex);
  return (table) => openTable(source, openRoom, findIndexedTable(index, table));
}

/** Returns the statistics of every table of a stored file. */
export async function measureStored(task: MeasureTask, filesUrl: string): Promise<MeasuredFile> {
  return await measureFile(task.file, await openTables(filesUrl, task), randomInt(2 ** 31), task.dictionary);
}

/** Stores tables of a stored file as Parquet files; a file is there once it is whole. */
export async function writeStoredParquet(task: ParquetTask, filesUrl: string): Promise<WrittenParquet[]> {
  const { file, sourceSha256, tables } = task;
  // Its libraries take a tenth of a second and 28 MB, which no other work needs.
  const { writeParquet } = await import("../../tables/parquet/write-parquet.ts");
  const open = await openTables(filesUrl, task);
  const written: WrittenParquet[] = [];
  for (const { number, fileId, position, columns, rowCount } of tables) {
    const table = { format: file.format, columns, rowCount, read: open({ position }) };
    const stored = await storePieces(openStore(filesUrl), fileId, writeParquet(table, sourceSha256));
    written.push({ table: number, fileId, ...stored });
  }
  return written;
}

async function storePieces(
  store: FileStore,
  fileId: string,
  source: Pieces,
): Promise<{ bytes: number; sha256: string }> {
  const { pieces, measured } = measurePieces(source);
  await store.put(fileId, pieces);
  return measured();
}

/** Looks up the rules of tables in their files, each of which is let go once its table is done. */
export async function checkInThread(task: CheckTask, filesUrl: string): Promise<CheckedTables> {
  const seed = randomInt(2 ** 31);
  const faults: RuleFault[] = [];
  const described: CheckedTables["described"] = [];
  const openTable = async (place: TablePlace): Promise<TableBytes> => {
    const asked = task.files[place.attachment];
    if (asked === undefined) throw new Error("a table to check has no file");
    const { bytes, index } = await openFile(filesUrl, asked);
    return {
      bytes,
      format: asked.file.format,
      firstRowAt: findFirstRow(index, place),
      seed,
    };
  };
  for (const rules of task.tables) {
    const sets = new Map<string, ValueSet>();
    for (const { path, reference } of rules.columns) {
      if (reference !== null) sets.set(path, readReferenced(task, await openTable(reference), reference));
    }
    described.push(checkTable(rules, await openTable(rules), sets, faults));
  }
  return { faults, described };
}

type TablePlace = Pick<ReferencedColumn, "attachment" | "position">;

function readReferenced({ files }: CheckTask, table: TableBytes, reference: ReferencedColumn): ValueSet {
  const found = listTables(files[reference.attachment]?.file).find(
    ({ position }) => position === reference.position,
  );
  const tableColumns = found?.columns.map(({ name }) => name) ?? [];
  return readValues({ tableColumns, rowCount: found?.rowCount ?? 0 }, table, reference);
}
