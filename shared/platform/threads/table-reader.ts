import { decodeIndex, type ReadingIndex } from "../../tables/inspection/reading-index.ts";
import { type RowsOutcome, type RowsPage, readPage, writeRowsAnswer } from "../../tables/rows/page.ts";
import {
  planExport,
  planRows,
  type RowsFile,
  type RowsPlan,
  type RowsRefusal,
} from "../../tables/rows/plan.ts";
import type { RowsLimits, RowsQuery } from "../../tables/rows/query.ts";
import { collectBytes, findIndexedTable } from "../../tables/rows/read.ts";
import { hasConditions } from "../../tables/rows/selection.ts";
import type { ExportFormat } from "../../tables/rows/text-rows.ts";
import { cutWindows, type RowsWindow } from "../../tables/rows/windows.ts";
import type { Requester } from "../concurrency/fair-semaphore.ts";
import { createSingleFlight, type SingleFlight } from "../concurrency/single-flight.ts";
import type { FileStore } from "../files/store.ts";
import { isOverrun, type RunFor } from "./pool.ts";
import type { RowsCache } from "./rows-cache.ts";
import { streamExport } from "./rows-export.ts";

import type { Overrun } from "./tasks.ts";

/** One stored file that a question is about; `loadIndex` fetches its reading index when needed. */
export interface StoredTable {
  /** Who waits for the answer: the questions of one requester take turns with those of others. */
  requester: Requester;
  key: string;
  file: RowsFile;
  loadIndex: () => Promise<Uint8Array | null>;
}

/** A question about the rows of one stored file. */
export interface RowsQuestion extends StoredTable {
  query: RowsQuery;
  limits: RowsLimits;
}

/** Answers questions about the rows of stored files. */
export interface TableReader {
  /** One page. */
  answer(question: RowsQuestion): Promise<RowsOutcome | Overrun>;
  /** All rows that a question matches, as text in pieces. */
  export(question: RowsQuestion, format: ExportFormat): Promise<RowsExport | RowsRefusal | Overrun>;
  /** The rows of a page: from a range of bytes, or in a thread where there is more to read. */
  readPage(run: RunFor, table: StoredTable, plan: RowsPlan): Promise<RowsPage | Overrun>;
  /** The rows of an export. */
  stream(
    run: RunFor,
    table: StoredTable,
    plan: RowsPlan,
    format: ExportFormat,
  ): Promise<RowsExport | Overrun>;
  /** The reading index of a file, from the cache where possible. */
  loadIndex(table: StoredTable): Promise<ReadingIndex | Overrun>;
  /** A whole file and a line feed, from the cache where possible. */
  fetchWhole(key: string, byteCount: number): Promise<SharedArrayBuffer>;
}

/** An export that has begun; a caller that stops early must call `return`. */
export interface RowsExport {
  ok: true;
  pieces: AsyncGenerator<Uint8Array>;
}

// Encoding a megabyte takes about 5 ms of the event loop; a page that spans more bytes is read in a thread.
const MOST_BYTES_HERE = 262_144;
/** Bytes of a file that a thread reads at once, unless a single row is larger: each window is a request of its own. */
const WINDOW_BYTES = 4_194_304;
/** The same of an export, which holds so much for every slow reader. */
const EXPORT_WINDOW_BYTES = 196_608;

interface Reader {
  store: FileStore;
  cache: RowsCache;
  run: RunFor;
  /** Fetches complete files; concurrent questions share one fetch. */
  fetchOnce: SingleFlight<SharedArrayBuffer>;
  isFetchingAhead: boolean;
}

/** Opens the table reader of one process; `run` does the work of the questions about rows. */
export function openTableReader(store: FileStore, cache: RowsCache, run: RunFor): TableReader {
  const reader: Reader = { store, cache, run, fetchOnce: createSingleFlight(), isFetchingAhead: false };
  return {
    answer: async (question) => {
      const plan = planRows(question.file, question.query, question.limits);
      if (!plan.ok) return plan;
      const page = await readRows(reader, run, question, plan);
      return isOverrun(page) ? page : writeRowsAnswer(plan, page);
    },
    export: async (question, format) => {
      const plan = planExport(question.file, question.query, question.limits);
      return plan.ok ? await streamRows(reader, run, question, plan, format) : plan;
    },
    readPage: (runTask, table, plan) => readRows(reader, runTask, table, plan),
    stream: (runTask, table, plan, format) => streamRows(reader, runTask, table, plan, format),
    loadIndex: (table) => loadIndex(reader, table),
    fetchWhole: (key, byteCount) => fetchWhole(reader, key, byteCount),
  };
}

async function streamRows(
  reader: Reader,
  run: RunFor,
  asked: StoredTable,
  plan: RowsPlan,
  format: ExportFormat,
): Promise<RowsExport | Overrun> {
  const index = await loadIndex(reader, asked);
  if (isOverrun(index)) return index;
  const windows = cutWindows(plan, findIndexedTable(index, plan), EXPORT_WINDOW_BYTES);
  return { ok: true, pieces: streamExport(run, asked, plan, windows, format) };
}

async function readRows(
  reader: Reader,
  run: RunFor,
  asked: StoredTable,
  plan: RowsPlan,
): Promise<RowsPage | Overrun> {
  const { requester, key } = asked;
  const hot = reader.cache.get(key);
  const index = await loadIndex(reader, asked);
  if (isOverrun(index)) return index;
  const isWhole = hasConditions(plan.query);
  // A second page of a file triggers a fetch of the whole file; the page itself does not wait for that.
  if (hot?.bytes === null && !isWhole) fetchAhead(reader, key, plan.bytes);
  const windows = cutWindows(plan, findIndexedTable(index, plan), WINDOW_BYTES);
  const size = windows.reduce((sum, { start, end }) => sum + end - start, 0);
  if (isWhole || size > MOST_BYTES_HERE) {
    // The file comes into memory in the question's turn: questions that wait hold none of it.
    return await run<RowsPage>(requester, "readStoredPage", async () => {
      const isKept = isWhole && reader.cache.hasRoomFor(plan.bytes);
      const bytes = isKept ? await fetchWhole(reader, key, plan.bytes) : (hot?.bytes ?? null);
      return { key, plan, windows, bytes };
    });
  }
  const bytes = hot?.bytes ?? null;
  if (bytes !== null) {
    const whole = Buffer.from(bytes);
    return await readPage(plan, windows, ({ start }) => ({ bytes: whole, start }));
  }
  return await readPage(plan, windows, async (window) => ({
    bytes: await readWindow(reader, key, window),
    start: 0,
  }));
}

async function readWindow(reader: Reader, key: string, { start, end }: RowsWindow): Promise<Buffer> {
  return await collectBytes(reader.store.get(key, { start, end: end - 1 }), Buffer.alloc(end - start + 1));
}

async function loadIndex(
  reader: Reader,
  { requester, key, file, loadIndex: load }: StoredTable,
): Promise<ReadingIndex | Overrun> {
  const known = reader.cache.get(key)?.index;
  if (known !== undefined) return known;
  const stored = await load();
  const index =
    (stored === null ? null : decodeIndex(stored)) ??
    (await reader.run<ReadingIndex>(requester, "indexStored", () => ({ key, format: file.format })));
  if (!isOverrun(index)) reader.cache.keep(key, { index });
  return index;
}

/** Fetches a file that pages are likely to need again, one at a time: the next page asks for it anew. */
function fetchAhead(reader: Reader, key: string, byteCount: number): void {
  if (reader.isFetchingAhead || !reader.cache.hasRoomFor(byteCount)) return;
  reader.isFetchingAhead = true;
  fetchWhole(reader, key, byteCount)
    .catch(() => {})
    .finally(() => {
      reader.isFetchingAhead = false;
    });
}

async function fetchWhole(reader: Reader, key: string, byteCount: number): Promise<SharedArrayBuffer> {
  const known = reader.cache.get(key)?.bytes ?? null;
  return known ?? (await reader.fetchOnce(key, () => readWhole(reader, key, byteCount)));
}

async function readWhole(reader: Reader, key: string, byteCount: number): Promise<SharedArrayBuffer> {
  const bytes = new SharedArrayBuffer(byteCount + 1);
  await collectBytes(reader.store.scan(key), Buffer.from(bytes));
  reader.cache.keep(key, { bytes });
  return bytes;
}
