import type { TextDiff } from "../../tables/differences/diff-texts.ts";
import type { FileFormat, Verdict } from "../../tables/inspection/verdict.ts";
import type { QueryPage } from "../../tables/questions/write-page.ts";
import type { RowsOutcome } from "../../tables/rows/page.ts";
import type { RowsRefusal } from "../../tables/rows/plan.ts";
import type { ExportFormat } from "../../tables/rows/text-rows.ts";
import type { Requester } from "../concurrency/fair-semaphore.ts";
import { openIdleGate } from "../concurrency/idle-gate.ts";
import { createSemaphore } from "../concurrency/semaphore.ts";
import { openFileStore } from "../files/open.ts";
import { BACKGROUND_THREADS, type BackgroundWork, openBackgroundWork } from "./background-work.ts";
import { openComparing } from "./compare-texts.ts";
import { type Drawing, openDrawing } from "./drawing.ts";
import { openFairQueue, openPool, openRun, type RunFor, type TaskPool, type ThreadsOptions } from "./pool.ts";
import { openQueryReader, type TableQuestion } from "./query-reader.ts";
import { answerOrRefuse, DIFF_OVERRUNS, judge, QUERY_OVERRUNS } from "./refuse-overrun.ts";
import { createRowsCache } from "./rows-cache.ts";
import {
  type DiffExport,
  type DiffOfFiles,
  type DiffPage,
  openTableDiffReader,
  type PlannedDiff,
} from "./table-diff-reader.ts";
import { openTableReader, type RowsExport, type RowsQuestion } from "./table-reader.ts";
import type { AppendedPart, CheckedTables, CheckTask, DiffTask, InspectTask, Overrun } from "./tasks.ts";

/** Heavy work on stored files, off the event loop, each task bounded in time and memory. */
export interface Threads extends Drawing, BackgroundWork {
  /**
   * Inspects a stored file, or the part that was appended to it; `progress` holds one 32-bit number, which counts the
   * bytes read. Throws `FileMissing` for a missing file.
   */
  inspect(
    key: string,
    format: FileFormat,
    progress?: SharedArrayBuffer,
    part?: AppendedPart | null,
  ): Promise<Verdict>;
  /** Reads rows of a stored file that passed inspection. Throws `FileMissing` for a missing file. */
  readRows(question: RowsQuestion): Promise<RowsOutcome>;
  /** Reads all rows that a question matches, as text, piece by piece. Throws `FileMissing`. */
  exportRows(question: RowsQuestion, format: ExportFormat): Promise<RowsExport | RowsRefusal>;
  /** One page of what a question with groups, aggregates or sorting finds. Throws `FileMissing`. */
  query(question: TableQuestion): Promise<QueryPage | RowsRefusal>;
  /** The whole of what such a question finds, as text, piece by piece. Throws `FileMissing`. */
  exportQuery(question: TableQuestion, format: ExportFormat): Promise<RowsExport | RowsRefusal>;
  /** What changed between the tables of two files. Throws `FileMissing`. */
  diffFiles(question: DiffOfFiles): Promise<PlannedDiff | RowsRefusal>;
  /** One page of what changed between them. Throws `FileMissing`. */
  readDiff(question: DiffOfFiles, page: DiffPage): Promise<{ ok: true; json: Uint8Array } | RowsRefusal>;
  /** The whole of what changed between them, as text, piece by piece. Throws `FileMissing`. */
  exportDiff(question: DiffOfFiles, wanted: DiffExport): Promise<RowsExport | RowsRefusal>;
  /** Resolves to true once no upload waits for its verdict, to false after `mostMs`. */
  untilIdle(mostMs: number): Promise<boolean>;
  /** What two texts have in common and what not; of whole lines where the words would take too long. */
  compareTexts(task: DiffTask): Promise<TextDiff>;
  /** Looks up the rules of dictionaries in their files. Throws `FileMissing` for a missing file. */
  check(requester: Requester, makeTask: () => Promise<CheckTask>): Promise<CheckedTables | Overrun>;
  /** Ends every thread; running tasks reject. */
  close(): Promise<void>;
}

const DRAWING_THREADS = 1;
const COMPARING_THREADS = 1;
// Ten times what the work that a diff may do takes on a free core: this ends only what nobody foresaw.
const COMPARE_TIMEOUT_MS = 2_000;

// Pages and rows come first: these threads get a tenth of the time that others want as well. At the lowest priority a
// busy machine leaves a thread a hundredth of a core: what takes 30 ms alone takes seconds.
const LOW_PRIORITY = 10;

// With its work of up to 10 seconds, a question is answered within the 30 seconds that an answer may take.
const ROWS_TURNS = { mostOfKey: 2, mostWaitMs: 10_000 };
/** Questions with groups or sorting, and comparisons of files. */
const QUESTION_TURNS = { most: 2, mostOfKey: 2, mostWaitMs: 10_000 };
const QUESTION_TIMEOUT_MS = 2_000;
/** Dictionaries of saves: no reader waits for one. */
const CHECK_TURNS = { most: 1, mostOfKey: 1, mostWaitMs: 15_000 };
const CHECK_TIMEOUT_MS = 5_000;

/** What is made of files behind their upload waits until none was inspected for this long. */
const REST_MS = 200;

const ROWS_CACHE_BYTES = 256 * 1024 * 1024;
// What changed between two files of a million rows takes some 10 MiB.
const DIFF_CACHE_SHARE = 1 / 8;

/**
 * Opens the threads, in two pools: of the usual priority for what a reader or an upload waits for, of a low one for
 * questions, dictionaries and what nobody waits for. Each kind of work has its bound and its order, so that none waits
 * for another. Threads start with the first task, and idle ones do not prevent the process from exiting.
 */
export function openThreads(options: ThreadsOptions): Threads {
  const { maxThreads, drawingThreads = DRAWING_THREADS, inspectTimeoutMs } = options;
  const usualMost = maxThreads + drawingThreads + COMPARING_THREADS;
  const usual = openPool(options, { name: "usual", most: usualMost, niceness: 0 });
  const lowMost = QUESTION_TURNS.most + CHECK_TURNS.most + BACKGROUND_THREADS;
  const low = openPool(options, { name: "low", most: lowMost, niceness: LOW_PRIORITY });
  const filesInOrder = createSemaphore(maxThreads);
  const inspect = openRun(usual, { inOrder: filesInOrder, timeoutMs: inspectTimeoutMs });
  const read = openFairQueue(openRun(usual, { inOrder: filesInOrder, timeoutMs: options.rowsTimeoutMs }), {
    most: maxThreads,
    ...ROWS_TURNS,
  });
  const ask = openAsking(low, QUESTION_TURNS, options.queryTimeoutMs ?? QUESTION_TIMEOUT_MS);
  const check = openAsking(low, CHECK_TURNS, CHECK_TIMEOUT_MS);
  const textsInOrder = createSemaphore(COMPARING_THREADS);
  const compare = openRun(usual, { inOrder: textsInOrder, timeoutMs: COMPARE_TIMEOUT_MS });
  const idleGate = openIdleGate(REST_MS);
  const { clear, ...reading } = openReading(options, read, ask);
  return {
    inspect: async (key, format, progress, part = null) => {
      const task: InspectTask = { key, format, ...(progress && { progress }), ...(part && { part }) };
      return judge(await idleGate.busy(() => inspect<Verdict>("inspectStored", () => task)));
    },
    ...reading,
    check: (requester, makeTask) => check<CheckedTables>(requester, "checkInThread", makeTask),
    compareTexts: openComparing((task) => compare<TextDiff>("diffInThread", () => task)),
    ...openDrawing(usual, drawingThreads, options.drawTimeoutMs),
    ...openBackgroundWork(low, idleGate, inspectTimeoutMs),
    untilIdle: idleGate.wait,
    close: async () => {
      clear();
      await Promise.all([usual.close(), low.close()]);
    },
  };
}

/** Work of so many at once, each in its requester's turn. */
function openAsking(pool: TaskPool, turns: typeof QUESTION_TURNS, timeoutMs: number): RunFor {
  return openFairQueue(openRun(pool, { inOrder: createSemaphore(turns.most), timeoutMs }), turns);
}

type Reading = Pick<
  Threads,
  "readRows" | "exportRows" | "query" | "exportQuery" | "diffFiles" | "readDiff" | "exportDiff"
>;

/** Rows of tables, questions about them and comparisons of files, over files in memory. */
function openReading(
  { filesUrl, rowsCacheBytes = ROWS_CACHE_BYTES }: ThreadsOptions,
  read: RunFor,
  ask: RunFor,
): Reading & { clear(): void } {
  const cache = createRowsCache(rowsCacheBytes);
  const tables = openTableReader(openFileStore(filesUrl), cache, read);
  const queries = openQueryReader(ask, tables, cache);
  const diffs = openTableDiffReader(ask, tables, Math.floor(rowsCacheBytes * DIFF_CACHE_SHARE));
  return {
    readRows: async (question) => answerOrRefuse(await tables.answer(question)),
    exportRows: async (question, format) => answerOrRefuse(await tables.export(question, format)),
    query: async (question) => answerOrRefuse(await queries.answer(question), QUERY_OVERRUNS),
    exportQuery: async (question, format) =>
      answerOrRefuse(await queries.export(question, format), QUERY_OVERRUNS),
    diffFiles: async (question) => answerOrRefuse(await diffs.find(question), DIFF_OVERRUNS),
    readDiff: async (question, page) => answerOrRefuse(await diffs.page(question, page), DIFF_OVERRUNS),
    exportDiff: async (question, wanted) =>
      answerOrRefuse(await diffs.export(question, wanted), DIFF_OVERRUNS),
    clear: () => cache.clear(),
  };
}
