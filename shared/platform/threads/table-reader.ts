import { decodeIndex, type ReadingIndex } from "../../tables/inspection/reading-index.ts";
import { hasConditions } from "../../tables/rows/conditions.ts";
import { type RowsOutcome, type RowsPage, readPage, writeRowsAnswer } from "../../tables/rows/page.ts";
import {
  planExport,
  planRows,
  type RowsFile,
  type RowsPlan,
  type RowsRefusal,
  refuse,
} from "../../tables/rows/plan.ts";
import type { RowsLimits, RowsQuery } from "../../tables/rows/query.ts";
import type { ExportFormat } from "../../tables/rows/text-rows.ts";
import {
  collectBytes,
  cutWindows,
  findIndexedTable,
  type RowsWindow,
  type Source,
  WINDOW_BYTES,
} from "../../tables/rows/windows.ts";
import { currentRequester } from "../concurrency/places.ts";
import type { SingleFlight } from "../concurrency/single-flight.ts";
import type { FileStore } from "../files/store.ts";
import { type Overrun, type RunInTurn, unlessOverrun } from "./pool.ts";
import { readInHalves } from "./read-in-halves.ts";
import type { RowsCache } from "./rows-cache.ts";
import { streamExport } from "./rows-export.ts";
import { type Loans, withLoans } from "./shared-cache.ts";

/** One stored file that a question is about; `loadIndex` fetches its reading index when needed. */
export interface StoredTable {
  key: string;
  file: RowsFile;
  loadIndex: () => Promise<Uint8Array | null>;
}

/** A question about the rows of one stored file. */
export interface RowsQuestion extends StoredTable {
  query: RowsQuery;
  limits: RowsLimits;
}

/** The stored files of one process, and what is cached of them. */
export interface FilesAtHand {
  store: FileStore;
  cache: RowsCache;
  /** Makes the indexes of files that have none. */
  run: RunInTurn;
  /** Fetches complete files into the cache; concurrent questions share one fetch. */
  fetchOnce: SingleFlight<void>;
}

/** An export that has begun; a caller that stops early must call `return`. */
export interface RowsExport {
  ok: true;
  pieces: AsyncGenerator<Uint8Array>;
}

/** What a reader is told whose question exceeds its time or memory. */
export type OverrunSentences = Readonly<Record<Overrun["of"], string>>;

const OVERRUNS: OverrunSentences = {
  memory: "The rows take too much memory to read in part. Download the file instead.",
  time: "The rows take too long to read in part. Ask for fewer, or download the file instead.",
};

/** An answer, or the refusal of a question that exceeds its time or memory. */
export function refuseOverrun<Answer>(
  answer: Promise<Answer>,
  sentences: OverrunSentences,
): Promise<Answer | RowsRefusal> {
  return unlessOverrun(answer, (of) => refuse("too_large_to_read", sentences[of]));
}

// Encoding a megabyte takes about 5 ms of the event loop; a page that spans more bytes is read in a thread.
const MOST_BYTES_HERE = 262_144;
/** What one thread goes through in a third of a second. */
const MOST_BYTES_AT_ONCE = 67_108_864;
/** The same as the first of an export, which holds so much for every slow reader. */
const EXPORT_WINDOW_BYTES = 196_608;

/** Opens answers to questions about the rows of stored files. */
export function openTableReader(run: RunInTurn, files: FilesAtHand) {
  const answer = async (question: RowsQuestion) => {
    const plan = planRows(question.file, question.query, question.limits);
    return plan.ok ? writeRowsAnswer(plan, await readRows(files, run, question, plan)) : plan;
  };
  const exportAll = async (question: RowsQuestion, format: ExportFormat) => {
    const plan = planExport(question.file, question.query, question.limits);
    return plan.ok ? await streamRows(files, run, question, plan, format) : plan;
  };
  return {
    /** Reads rows of a stored file that passed inspection. Throws `FileMissing` for a missing file. */
    readRows: (question: RowsQuestion): Promise<RowsOutcome> => refuseOverrun(answer(question), OVERRUNS),
    /** Reads all rows that a question matches, as text, piece by piece. Throws `FileMissing`. */
    exportRows: (question: RowsQuestion, format: ExportFormat) =>
      refuseOverrun(exportAll(question, format), OVERRUNS),
  };
}

/** The rows of an export. */
export async function streamRows(
  files: FilesAtHand,
  run: RunInTurn,
  asked: StoredTable,
  plan: RowsPlan,
  format: ExportFormat,
): Promise<RowsExport> {
  const index = await loadIndex(files, asked);
  const windows = cutWindows(plan, findIndexedTable(index, plan), EXPORT_WINDOW_BYTES);
  const reading = { requester: currentRequester(), key: asked.key };
  return { ok: true, pieces: streamExport(run, reading, plan, windows, format) };
}

/** The rows of a page: from a range of bytes, or in a thread where there is more to read. */
export async function readRows(
  files: FilesAtHand,
  run: RunInTurn,
  asked: StoredTable,
  plan: RowsPlan,
): Promise<RowsPage> {
  const { key } = asked;
  const index = await loadIndex(files, asked);
  const isWhole = hasConditions(plan.query);
  const windows = cutWindows(plan, findIndexedTable(index, plan), WINDOW_BYTES);
  const size = windows.reduce((sum, { start, end }) => sum + end - start, 0);
  return await withLoans(async (loans) => {
    if (isWhole || size > MOST_BYTES_HERE) {
      const readInThread = (some: RowsPlan, part: readonly RowsWindow[]) =>
        // The file comes into memory in the question's turn: questions that wait hold none of it.
        run("readStoredPage", async () => {
          if (isWhole && files.cache.hasRoomFor(plan.bytes)) await fetchWhole(files, key, plan.bytes);
          return { key, plan: some, windows: part, bytes: findWhole(files, key, loans) };
        });
      const isLong = isWhole && size > MOST_BYTES_AT_ONCE;
      return await (isLong ? readInHalves(plan, windows, readInThread) : readInThread(plan, windows));
    }
    const source: Source = (range) => files.store.get(key, range);
    return await readPage(plan, windows, { bytes: findWhole(files, key, loans), source });
  });
}

/** The reading index of a file, from the cache where possible. */
export async function loadIndex(
  { cache, run }: FilesAtHand,
  { key, file, loadIndex: load }: StoredTable,
): Promise<ReadingIndex> {
  const known = cache.getIndex(key);
  if (known !== undefined) return known;
  const stored = await load();
  const index =
    (stored === null ? null : decodeIndex(stored)) ??
    (await run("indexStored", () => ({ key, format: file.format })));
  cache.keepIndex(key, index);
  return index;
}

/** Brings a whole file into the cache, unless it has no room there. */
async function fetchWhole(
  { cache, store, fetchOnce }: FilesAtHand,
  key: string,
  byteCount: number,
): Promise<void> {
  if (cache.files.has(key)) return;
  await fetchOnce(key, () =>
    cache.files.fill(key, byteCount + 1, (bytes) => collectBytes(store.scan(key), bytes)),
  );
}

function findWhole({ cache }: FilesAtHand, key: string, loans: Loans): Uint8Array | null {
  return (cache.files.lend(key, loans) as Uint8Array | undefined) ?? null;
}

/** A whole file and a line feed, from the cache where possible; both as long as the loans last. */
export async function lendWhole(
  files: FilesAtHand,
  key: string,
  byteCount: number,
  loans: Loans,
): Promise<Uint8Array> {
  await fetchWhole(files, key, byteCount);
  const kept = findWhole(files, key, loans);
  if (kept !== null) return kept;
  // The thread gets a copy of what the cache has no room for.
  const bytes = Buffer.allocUnsafeSlow(byteCount + 1);
  loans.push(() => void bytes.buffer.transfer(0));
  return await collectBytes(files.store.scan(key), bytes);
}
