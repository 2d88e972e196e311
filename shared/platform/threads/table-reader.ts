import { noteEtag } from "../../ground/checksum.ts";
import { decodeIndex, type IndexedTable, type ReadingIndex } from "../../tables/inspection/reading-index.ts";
import type { ExportPart } from "../../tables/rows/export.ts";
import { findWindow, type RowsOutcome, type RowsWindow, readPlainPage } from "../../tables/rows/page.ts";
import {
  planExport,
  planRows,
  type RowsFile,
  type RowsPlan,
  type RowsRefusal,
} from "../../tables/rows/plan.ts";
import { type PreparedTable, pickPrepared } from "../../tables/rows/prepared.ts";
import type { RowsLimits, RowsQuery } from "../../tables/rows/query.ts";
import { collectBytes, findIndexedTable } from "../../tables/rows/read.ts";
import type { ExportFormat } from "../../tables/rows/text-rows.ts";
import type { Requester } from "../concurrency/fair-semaphore.ts";
import { createSingleFlight, type SingleFlight } from "../concurrency/single-flight.ts";
import type { FileStore } from "../files/store.ts";
import type { HotFile, RowsCache } from "./rows-cache.ts";
import { streamExport } from "./rows-export.ts";
import type {
  ExportTask,
  HashedOutcome,
  InspectTask,
  MatchesTask,
  Overrun,
  PageTask,
  PreparedOutcome,
} from "./tasks.ts";

/** The threads' work for the table reader, in which the requests take turns; a task is assembled in its turn. */
export interface RowsThreads {
  index(requester: Requester, task: InspectTask): Promise<ReadingIndex | Overrun>;
  export(requester: Requester, task: ExportTask, isPatient: boolean): Promise<ExportPart | Overrun>;
  page(requester: Requester, task: PageTask): Promise<HashedOutcome | Overrun>;
  matches(requester: Requester, makeTask: () => Promise<MatchesTask>): Promise<PreparedOutcome | Overrun>;
}

/** A question about one stored file; `loadIndex` fetches its reading index when needed. */
export interface RowsQuestion {
  /** Who waits for the answer: the questions of one requester take turns with those of others. */
  requester: Requester;
  key: string;
  file: RowsFile;
  query: RowsQuery;
  limits: RowsLimits;
  loadIndex: () => Promise<Uint8Array | null>;
}

type IndexQuestion = Pick<RowsQuestion, "requester" | "key" | "file" | "loadIndex">;

/** Answers questions about the rows of stored files. */
export interface TableReader {
  /** One page: from the cache where possible, from a range of bytes, or in a thread. */
  answer(question: RowsQuestion): Promise<RowsOutcome | Overrun>;
  /** All rows that a question matches, as text in pieces. */
  export(question: RowsQuestion, format: ExportFormat): Promise<RowsExport | RowsRefusal | Overrun>;
  /** The reading index of a file, from the cache where possible. */
  loadIndex(question: IndexQuestion): Promise<ReadingIndex | Overrun>;
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

interface Reader {
  store: FileStore;
  cache: RowsCache;
  threads: RowsThreads;
  /** Fetches complete files; concurrent questions share one fetch. */
  fetchOnce: SingleFlight<SharedArrayBuffer>;
  isFetchingAhead: boolean;
}

/** Opens the table reader of one process. */
export function openTableReader(store: FileStore, cache: RowsCache, threads: RowsThreads): TableReader {
  const reader: Reader = { store, cache, threads, fetchOnce: createSingleFlight(), isFetchingAhead: false };
  return {
    answer: (question) => answer(reader, question),
    export: (question, format) => startExport(reader, question, format),
    loadIndex: (question) => loadIndex(reader, question),
    fetchWhole: (key, byteCount) => fetchWhole(reader, key, byteCount),
  };
}

async function startExport(
  reader: Reader,
  question: RowsQuestion,
  format: ExportFormat,
): Promise<RowsExport | RowsRefusal | Overrun> {
  const { requester, key, file, query, limits } = question;
  const plan = planExport(file, query, limits);
  if (!plan.ok) return plan;
  const index = await loadIndex(reader, question);
  if (index === "memory" || index === "time") return index;
  const table = findIndexedTable(index, plan);
  const runStep = (task: ExportTask, isFirst: boolean) => reader.threads.export(requester, task, !isFirst);
  return { ok: true, pieces: streamExport(key, plan, table, format, runStep) };
}

async function answer(reader: Reader, question: RowsQuestion): Promise<RowsOutcome | Overrun> {
  const { key, file, query, limits } = question;
  const plan = planRows(file, query, limits);
  if (!plan.ok) return plan;
  const hot = reader.cache.get(key);
  const index = await loadIndex(reader, question);
  if (index === "memory" || index === "time") return index;
  const table = findIndexedTable(index, plan);
  if (query.filters.length > 0) return await answerMatches(reader, question, plan, table);
  // A second page of a file triggers a fetch of the whole file; the page itself does not wait for that.
  if (hot?.bytes === null) fetchAhead(reader, key, plan.bytes);
  return await answerPage(reader, question, plan, table, hot);
}

async function loadIndex(reader: Reader, question: IndexQuestion): Promise<ReadingIndex | Overrun> {
  const { requester, key, file } = question;
  const known = reader.cache.get(key)?.index;
  if (known !== undefined) return known;
  const stored = await question.loadIndex();
  const index =
    (stored === null ? null : decodeIndex(stored)) ??
    (await reader.threads.index(requester, { key, format: file.format }));
  if (index !== "memory" && index !== "time") reader.cache.keep(key, { index });
  return index;
}

async function answerPage(
  reader: Reader,
  { requester, key }: RowsQuestion,
  plan: RowsPlan,
  table: IndexedTable,
  hot: HotFile | undefined,
): Promise<RowsOutcome | Overrun> {
  const window = findWindow(plan, table);
  if (window.end - window.start > MOST_BYTES_HERE) {
    const answered = await reader.threads.page(requester, { key, bytes: hot?.bytes ?? null, plan, window });
    return answered === "memory" || answered === "time" ? answered : takeOutcome(answered);
  }
  if (hot !== undefined && hot.bytes !== null)
    return readPlainPage(plan, window, Buffer.from(hot.bytes), window.start);
  return readPlainPage(plan, window, await readWindow(reader, key, window), 0);
}

async function readWindow(reader: Reader, key: string, { start, end }: RowsWindow): Promise<Buffer> {
  const room = Buffer.alloc(end - start + 1);
  return start === end ? room : await collectBytes(reader.store.get(key, { start, end: end - 1 }), room);
}

async function answerMatches(
  reader: Reader,
  { requester, key }: RowsQuestion,
  plan: RowsPlan,
  table: IndexedTable,
): Promise<RowsOutcome | Overrun> {
  const firstRowAt = table.offsets[0] ?? 0;
  let prepared: PreparedTable | null = null;
  // The file comes into memory in the question's turn: questions that wait hold none of it.
  const answered = await reader.threads.matches(requester, async () => {
    const bytes = await fetchWhole(reader, key, plan.bytes);
    // Only what the question needs goes to the thread, and nothing comes back where that is all.
    const known = reader.cache.get(key)?.prepared.get(plan.position) ?? null;
    prepared = pickPrepared(known, plan.query.filters);
    return { plan, firstRowAt, bytes, prepared };
  });
  if (answered === "memory" || answered === "time") return answered;
  const used = answered.prepared ?? prepared;
  if (used !== null) reader.cache.keepPrepared(key, plan.position, used);
  return takeOutcome(answered);
}

function takeOutcome({ outcome, etag }: HashedOutcome): RowsOutcome {
  if (outcome.ok && etag !== null) noteEtag(outcome.json, etag);
  return outcome;
}

/** Fetches a file that pages are likely to need again, one at a time: the next page asks for it anew. */
function fetchAhead(reader: Reader, key: string, byteCount: number): void {
  if (reader.isFetchingAhead) return;
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
