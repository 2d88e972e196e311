import { decodeIndex, type IndexedTable, type ReadingIndex } from "../core/inspect/reading-index.ts";
import type { ExportPart } from "../core/rows/export.ts";
import { findWindow, type RowsOutcome, type RowsWindow, readPlainPage } from "../core/rows/page.ts";
import { planExport, planRows, type RowsFile, type RowsPlan, type RowsRefusal } from "../core/rows/plan.ts";
import type { PreparedTable } from "../core/rows/prepared.ts";
import type { RowsLimits, RowsQuery } from "../core/rows/query.ts";
import { collectBytes, findIndexedTable } from "../core/rows/read.ts";
import type { ExportFormat } from "../core/rows/text-rows.ts";
import type { FileStore } from "../files/store.ts";
import type { HotFile, RowsCache } from "./rows-cache.ts";
import { streamExport } from "./rows-export.ts";
import type { ExportTask, InspectTask, MatchesTask, Overrun, PageTask } from "./tasks.ts";

/** The work that threads do for the desk; a task is put together when its turn has come. */
export interface RowsThreads {
  index(task: InspectTask): Promise<ReadingIndex | Overrun>;
  export(task: ExportTask): Promise<ExportPart | Overrun>;
  page(task: PageTask): Promise<RowsOutcome | Overrun>;
  matches(makeTask: () => MatchesTask): Promise<{ outcome: RowsOutcome; prepared: PreparedTable } | Overrun>;
}

/** A question about one stored file; `loadIndex` fetches what inspection kept, when it is needed. */
export interface RowsQuestion {
  key: string;
  file: RowsFile;
  query: RowsQuery;
  limits: RowsLimits;
  loadIndex: () => Promise<Uint8Array | null>;
}

/** Answers questions about rows. */
export interface TableReader {
  /** One page: from the cache where it can, by a range of bytes, or in a thread. */
  answer(question: RowsQuestion): Promise<RowsOutcome | Overrun>;
  /** Everything that is asked for, as text in pieces. */
  export(question: RowsQuestion, format: ExportFormat): Promise<RowsExport | RowsRefusal | Overrun>;
}

/** An export that has begun; whoever takes no more pieces must say so by `return`. */
export interface RowsExport {
  ok: true;
  pieces: AsyncGenerator<Uint8Array>;
}

// Encoding a megabyte takes about 5 ms; a page that spans more bytes is read in a thread.
const MOST_BYTES_HERE = 1_048_576;

interface Desk {
  store: FileStore;
  cache: RowsCache;
  threads: RowsThreads;
  /** Files that are being fetched whole, so that questions which come together fetch one once. */
  fetching: Map<string, Promise<SharedArrayBuffer>>;
}

/** Opens the desk of one process. */
export function openTableReader(store: FileStore, cache: RowsCache, threads: RowsThreads): TableReader {
  const desk: Desk = { store, cache, threads, fetching: new Map() };
  return {
    answer: (question) => answer(desk, question),
    export: (question, format) => startExport(desk, question, format),
  };
}

async function startExport(
  desk: Desk,
  question: RowsQuestion,
  format: ExportFormat,
): Promise<RowsExport | RowsRefusal | Overrun> {
  const { key, file, query, limits } = question;
  const plan = planExport(file, query, limits);
  if (!plan.ok) return plan;
  const index = desk.cache.get(key)?.index ?? (await loadIndex(desk, question));
  if (index === "memory" || index === "time") return index;
  const table = findIndexedTable(index, plan);
  return { ok: true, pieces: streamExport(key, plan, table, format, desk.threads.export) };
}

async function answer(desk: Desk, question: RowsQuestion): Promise<RowsOutcome | Overrun> {
  const { key, file, query, limits } = question;
  const plan = planRows(file, query, limits);
  if (!plan.ok) return plan;
  const hot = desk.cache.get(key);
  const index = hot?.index ?? (await loadIndex(desk, question));
  if (index === "memory" || index === "time") return index;
  const table = findIndexedTable(index, plan);
  if (query.filters.length > 0) return await answerMatches(desk, key, plan, table);
  // The second page of a file calls for the whole of it; the page itself does not wait for that.
  if (hot?.bytes === null) fetchWhole(desk, key, plan.bytes).catch(() => {});
  return await answerPage(desk, key, plan, table, hot);
}

async function loadIndex(desk: Desk, question: RowsQuestion): Promise<ReadingIndex | Overrun> {
  const { key, file } = question;
  const kept = await question.loadIndex();
  const index =
    (kept === null ? null : decodeIndex(kept)) ?? (await desk.threads.index({ key, format: file.format }));
  if (index !== "memory" && index !== "time") desk.cache.keep(key, { index });
  return index;
}

async function answerPage(
  desk: Desk,
  key: string,
  plan: RowsPlan,
  table: IndexedTable,
  hot: HotFile | undefined,
): Promise<RowsOutcome | Overrun> {
  const window = findWindow(plan, table);
  if (window.end - window.start > MOST_BYTES_HERE) return await desk.threads.page({ key, plan, window });
  if (hot !== undefined && hot.bytes !== null)
    return readPlainPage(plan, window, Buffer.from(hot.bytes), window.start);
  return readPlainPage(plan, window, await readWindow(desk, key, window), 0);
}

async function readWindow(desk: Desk, key: string, { start, end }: RowsWindow): Promise<Buffer> {
  const room = Buffer.alloc(end - start + 1);
  return start === end ? room : await collectBytes(desk.store.get(key, { start, end: end - 1 }), room);
}

async function answerMatches(
  desk: Desk,
  key: string,
  plan: RowsPlan,
  table: IndexedTable,
): Promise<RowsOutcome | Overrun> {
  const bytes = desk.cache.get(key)?.bytes ?? (await fetchWhole(desk, key, plan.bytes));
  const firstRowAt = table.offsets[0] ?? 0;
  const answered = await desk.threads.matches(() => {
    const prepared = desk.cache.get(key)?.prepared.get(plan.position) ?? null;
    return { plan, firstRowAt, bytes, prepared };
  });
  if (answered === "memory" || answered === "time") return answered;
  desk.cache.keepPrepared(key, plan.position, answered.prepared);
  return answered.outcome;
}

function fetchWhole(desk: Desk, key: string, byteCount: number): Promise<SharedArrayBuffer> {
  const known = desk.fetching.get(key);
  if (known !== undefined) return known;
  const fetched = readWhole(desk, key, byteCount).finally(() => desk.fetching.delete(key));
  desk.fetching.set(key, fetched);
  return fetched;
}

async function readWhole(desk: Desk, key: string, byteCount: number): Promise<SharedArrayBuffer> {
  const bytes = new SharedArrayBuffer(byteCount + 1);
  await collectBytes(desk.store.get(key), Buffer.from(bytes));
  desk.cache.keep(key, { bytes });
  return bytes;
}
