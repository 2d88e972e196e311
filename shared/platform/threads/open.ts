import type { ReadRows, SentRowsTask } from "../../tables/append/sent-rows.ts";
import type { TableVerdict } from "../../tables/dialects/judge-table.ts";
import { diffWholeLines } from "../../tables/differences/diff-texts.ts";
import { createSemaphore } from "../concurrency/fair-semaphore.ts";
import { createSingleFlight } from "../concurrency/single-flight.ts";
import { openFileStore } from "../files/open.ts";
import { BACKGROUND_THREADS, openBackgroundWork } from "./background-work.ts";
import { openDrawing } from "./drawing.ts";
import {
  openFairQueue,
  openPool,
  openRun,
  orNull,
  type RunInTurn,
  type ThreadsOptions,
  unlessOverrun,
} from "./pool.ts";
import { openQueryReader } from "./query-reader.ts";
import { createRowsCache } from "./rows-cache.ts";
import { openTableDiffReader } from "./table-diff-reader.ts";
import { type FilesAtHand, type OverrunSentences, openTableReader } from "./table-reader.ts";
import type { CheckTask, DiffTask, InspectTask } from "./tasks.ts";
import { limitByFile } from "./time-limits.ts";

/** Heavy work on stored files, off the event loop, each task bounded in time and memory. */
export type Threads = ReturnType<typeof openThreads>;

const DRAWING_THREADS = 1;
const COMPARING_TURNS = { most: 1, mostOfKey: 1, mostWaitMs: 10_000 };
// Ten times what the work that a diff may do takes on a free core: this ends only what nobody foresaw.
const COMPARE_TIMEOUT_MS = 2_000;

// Pages and rows come first: these threads get a tenth of the time that others want as well. At the lowest priority a
// busy machine leaves a thread a hundredth of a core: what takes 30 ms alone takes seconds.
const LOW_PRIORITY = 10;

const ROWS_TURNS = { mostOfKey: 2, mostWaitMs: 10_000 };
/** Questions with groups or sorting, and comparisons of files. */
const QUESTION_TURNS = { most: 2, mostOfKey: 2, mostWaitMs: 10_000 };
const QUESTION_TIMEOUT_MS = 2_000;
/** Dictionaries of saves: no reader waits for one. */
const CHECK_TURNS = { most: 1, mostOfKey: 1, mostWaitMs: 15_000 };
const CHECK_TIMEOUT_MS = 5_000;

const ROWS_CACHE_BYTES = 256 * 1024 * 1024;
// What changed between two files of a million rows takes some 10 MiB.
const DIFF_CACHE_SHARE = 1 / 8;

/**
 * Opens the threads, in two pools: of the usual priority for what a reader or an upload waits for, of a low one for
 * questions, dictionaries and what nobody waits for. Each kind of work has its bound and its order, so that none waits
 * for another. Threads start with the first task, and idle ones do not prevent the process from exiting.
 */
export function openThreads(options: ThreadsOptions) {
  const { maxThreads, drawingThreads = DRAWING_THREADS, inspectTimeoutMs } = options;
  const usualMost = maxThreads + drawingThreads + COMPARING_TURNS.most;
  const usual = openPool(options, { name: "usual", most: usualMost, niceness: 0 });
  const lowMost = QUESTION_TURNS.most + CHECK_TURNS.most + BACKGROUND_THREADS;
  const low = openPool(options, { name: "low", most: lowMost, niceness: LOW_PRIORITY });
  const filesInOrder = createSemaphore(maxThreads);
  const inspect = openRun(usual, limitByFile(inspectTimeoutMs), filesInOrder);
  const read = openFairQueue(openRun(usual, options.rowsTimeoutMs, filesInOrder), {
    most: maxThreads,
    ...ROWS_TURNS,
  });
  const ask = openFairQueue(openRun(low, options.queryTimeoutMs ?? QUESTION_TIMEOUT_MS), QUESTION_TURNS);
  const check = openFairQueue(openRun(low, CHECK_TIMEOUT_MS), CHECK_TURNS);
  const compare = openFairQueue(openRun(usual, COMPARE_TIMEOUT_MS), COMPARING_TURNS);
  return {
    /** Inspects a stored file, and stores its canonical form where it has another. Throws `FileMissing` for a missing file. */
    inspect: (task: InspectTask) =>
      unlessOverrun(
        inspect("inspectStored", () => task),
        (of): TableVerdict => ({ ok: false, reason: INSPECT_OVERRUNS[of], plans: [] }),
      ),
    /** Reads rows that were sent as JSON: many take longer than others should wait. */
    readSentRows: async (task: SentRowsTask): Promise<ReadRows> => {
      const read = inspect("readRowsInThread", () => task);
      return await unlessOverrun(read, () => ({ sha256: "", part: "", faults: { rows: [TOO_MANY_ROWS] } }));
    },
    ...openReading(options, read, ask),
    /** Looks up the rules of dictionaries in their files; null over their time or memory. Throws `FileMissing`. */
    check: (makeTask: () => Promise<CheckTask>) => orNull(check("checkInThread", makeTask)),
    /** What two texts have in common and what not; of whole lines where the words would take too long. */
    compareTexts: (task: DiffTask) =>
      unlessOverrun(
        compare("diffInThread", () => task),
        () => diffWholeLines(task.from, task.to),
      ),
    ...openDrawing(usual, drawingThreads, options.drawTimeoutMs),
    ...openBackgroundWork(low, inspectTimeoutMs),
    /** Ends every thread; running tasks reject. */
    close: async () => {
      await Promise.all([usual.close(), low.close()]);
    },
  };
}

/** Rows of tables, questions about them and comparisons of files, over files in memory. */
function openReading(
  { filesUrl, rowsCacheBytes = ROWS_CACHE_BYTES }: ThreadsOptions,
  read: RunInTurn,
  ask: RunInTurn,
) {
  const diffCacheBytes = Math.floor(rowsCacheBytes * DIFF_CACHE_SHARE);
  const cache = createRowsCache(rowsCacheBytes - diffCacheBytes);
  const store = openFileStore(filesUrl);
  const files: FilesAtHand = { store, cache, run: read, fetchOnce: createSingleFlight() };
  return {
    ...openTableReader(read, files),
    ...openQueryReader(ask, files),
    ...openTableDiffReader(ask, files, diffCacheBytes),
  };
}

const TOO_MANY_ROWS = "The rows take too much time or memory to read. Send fewer, or a file.";
const INSPECT_OVERRUNS: OverrunSentences = {
  memory: "The file is too deeply nested or too large to inspect in memory. Simplify or split it.",
  time: "The file took too long to inspect. Simplify or split it.",
};
