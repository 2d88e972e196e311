import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { openIdleGate } from "../concurrency/idle-gate.ts";
import { createSemaphore } from "../concurrency/semaphore.ts";
import type { Drawable } from "../core/draw/draw-block.ts";
import type { FileFormat, Verdict } from "../core/inspect/verdict.ts";
import type { RowsOutcome } from "../core/rows/page.ts";
import type { RowsFile, RowsRefusal } from "../core/rows/plan.ts";
import type { RowsLimits, RowsQuery } from "../core/rows/query.ts";
import type { ExportFormat } from "../core/rows/text-rows.ts";
import { openFileStore } from "../files/open.ts";
import { FileMissing } from "../files/store.ts";
import { createRowsCache } from "./rows-cache.ts";
import { openTableReader, type RowsExport, type RowsQuestion, type RowsThreads } from "./table-reader.ts";
import type {
  InspectTask,
  MeasureTask,
  Overrun,
  PaintTask,
  Pictures,
  ThreadAnswer,
  ThreadData,
  ThreadWork,
} from "./tasks.ts";

export interface ThreadsOptions {
  filesUrl: string;
  /** Threads for all but statistics, which have one of their own beside them. */
  maxThreads: number;
  inspectTimeoutMs: number;
  rowsTimeoutMs: number;
  /**
   * Most heap that one thread may take. 256 is right for files of 10 MiB: the worst of twenty kinds of hostile file
   * stayed under 192. Do not set it so low that files reach it often: V8 ends such a thread as a rule, and the
   * whole process where one allocation overshoots the limit.
   */
  memoryMb: number;
  /** Bytes of files that are read often, kept in memory for the rows reader; 256 MiB by default. */
  rowsCacheBytes?: number;
}

/** Heavy work on stored files, off the event loop, each task bounded in time and memory. */
export interface Threads {
  /**
   * Inspects a stored file; `progress` holds one number of 32 bits, which follows the bytes that are read. Throws
   * `FileMissing` when there is none.
   */
  inspect(key: string, format: FileFormat, progress?: SharedArrayBuffer): Promise<Verdict>;
  /**
   * Reads rows of a stored file that passed inspection. `loadIndex` gives the reading index that inspection kept,
   * or null; without it the file is gone through once. Throws `FileMissing` when there is none.
   */
  readRows(
    key: string,
    file: RowsFile,
    query: RowsQuery,
    limits: RowsLimits,
    loadIndex?: () => Promise<Uint8Array | null>,
  ): Promise<RowsOutcome>;
  /** Everything that a question asks for, as text in pieces that are made one by one. Throws `FileMissing`. */
  exportRows(question: RowsQuestion, format: ExportFormat): Promise<RowsExport | RowsRefusal>;
  /**
   * The statistics of every table of a stored file that passed inspection, as JSON text (`measure-file.ts`); null
   * when they take too long or too much memory. Throws `FileMissing` when there is none.
   */
  measure(task: MeasureTask): Promise<string | null>;
  /** Figures of blocks in their order; null for one that cannot be drawn, and for all when their time is up. */
  draw(blocks: readonly Drawable[]): Promise<(string | null)[]>;
  /** An artwork's pictures; null when its time is up. The same one asked for meanwhile is drawn once. */
  paint(task: PaintTask): Promise<Pictures | null>;
  /** Ends every thread; running tasks reject. */
  close(): Promise<void>;
}

// A thread takes about 130 ms to start, so it outlives the pause between two uploads.
const IDLE_MS = 300_000;
const YOUNG_GENERATION_MB = 32;
const MEASURING_THREADS = 1;
// Statistics take ten times as long as an inspection. They begin where no upload waits for a verdict, or after a
// minute, and run in what others leave of the processors: so they may take long, and are given that time.
const MEASURING_WAIT = { restMs: 200, mostMs: 60_000 };
const MEASURING_NICENESS = 19;
const MEASURING_FACTOR = 10;
const DRAW_TIMEOUT_MS = 5_000;
const ROWS_CACHE_BYTES = 256 * 1024 * 1024;

/** Opens the pool; threads start with the first task, and idle ones do not keep the process alive. */
export function openThreads(options: ThreadsOptions): Threads {
  const pool = openPool(options, options.maxThreads, 0);
  // piscina leaves queued tasks waiting when the last thread dies, and starts a task's signal before the task:
  // with slots of our own its queue stays empty and a task's time begins with its turn.
  const inSemaphore = createSemaphore(options.maxThreads);
  // Nobody waits for statistics, and somebody waits for an upload: they have one more thread, and it gives way.
  const measuringPool = openPool(options, MEASURING_THREADS, MEASURING_NICENESS);
  const inMeasuringSlot = createSemaphore(MEASURING_THREADS);
  const run = <Result>(name: WorkName, makeTask: () => ThreadWork, timeoutMs: number) =>
    inSemaphore(() => runBounded<Result>(pool, { name, task: makeTask() }, timeoutMs));
  const idleGate = openIdleGate(MEASURING_WAIT);
  const runMeasuring = (task: MeasureTask) =>
    inMeasuringSlot(async () => {
      await idleGate.wait();
      const timeoutMs = MEASURING_FACTOR * options.inspectTimeoutMs;
      return await runBounded<string>(measuringPool, { name: "measureStored", task }, timeoutMs);
    });
  const forRows: RowsThreads = {
    index: (task) => run("indexStored", () => task, options.rowsTimeoutMs),
    export: (task) => run("exportStored", () => task, options.rowsTimeoutMs),
    page: (task) => run("readStoredPage", () => task, options.rowsTimeoutMs),
    matches: (makeTask) => run("readMatches", makeTask, options.rowsTimeoutMs),
  };
  const painting = new Map<string, Promise<Pictures | Overrun>>();
  const paintOnce = (task: PaintTask) => {
    const name = JSON.stringify(task);
    const running = painting.get(name) ?? run<Pictures>("paintArtwork", () => task, DRAW_TIMEOUT_MS);
    painting.set(name, running);
    return running.finally(() => painting.delete(name));
  };
  // Those who ask for the statistics of one file together have them made once.
  const measuring = new Map<string, Promise<string | null>>();
  const cache = createRowsCache(options.rowsCacheBytes ?? ROWS_CACHE_BYTES);
  const desk = openTableReader(openFileStore(options.filesUrl), cache, forRows);
  return {
    inspect: async (key, format, progress) => {
      const task: InspectTask = { key, format, ...(progress === undefined ? {} : { progress }) };
      const inspecting = () => run<Verdict>("inspectStored", () => task, options.inspectTimeoutMs);
      const verdict = await idleGate.busy(inspecting);
      return isOverrun(verdict) ? { ok: false, reason: INSPECT_OVERRUNS[verdict] } : verdict;
    },
    readRows: async (key, file, query, limits, loadIndex = async () => null) => {
      const outcome = await desk.answer({ key, file, query, limits, loadIndex });
      return isOverrun(outcome) ? refuseRows(outcome) : outcome;
    },
    exportRows: async (question, format) => {
      const started = await desk.export(question, format);
      return isOverrun(started) ? refuseRows(started) : started;
    },
    measure: (task) => {
      const known = measuring.get(task.key);
      if (known !== undefined) return known;
      const made = runMeasuring(task)
        .then((stats) => (isOverrun(stats) ? null : stats))
        .finally(() => measuring.delete(task.key));
      measuring.set(task.key, made);
      return made;
    },
    draw: async (blocks) => {
      const figures = await run<(string | null)[]>("drawBlocks", () => blocks, DRAW_TIMEOUT_MS);
      return isOverrun(figures) ? blocks.map(() => null) : figures;
    },
    paint: async (task) => {
      const pictures = await paintOnce(task);
      return isOverrun(pictures) ? null : pictures;
    },
    close: async () => {
      cache.clear();
      await Promise.all([pool.destroy(), measuringPool.destroy()]);
    },
  };
}

const THREAD_FILES = {
  inspectStored: threadFile("inspect-thread.ts"),
  indexStored: threadFile("rows-thread.ts"),
  readStoredPage: threadFile("rows-thread.ts"),
  exportStored: threadFile("rows-thread.ts"),
  readMatches: threadFile("rows-thread.ts"),
  measureStored: threadFile("measure-thread.ts"),
  drawBlocks: threadFile("draw-thread.ts"),
  paintArtwork: threadFile("artwork-thread.ts"),
} as const;

type WorkName = keyof typeof THREAD_FILES;

function threadFile(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

function openPool(options: ThreadsOptions, maxThreads: number, niceIncrement: number): Piscina {
  const data: ThreadData = { filesUrl: options.filesUrl };
  const pool = new Piscina({
    minThreads: 0,
    maxThreads,
    niceIncrement,
    idleTimeout: IDLE_MS,
    workerData: data,
    // A thread that waits on Atomics between tasks could not close the file that its last task left early.
    atomics: "disabled",
    execArgv: [],
    recordTiming: false,
    resourceLimits: {
      maxOldGenerationSizeMb: options.memoryMb,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
    },
  });
  // A thread that dies without a task has nobody to tell; the next task starts another.
  pool.on("error", () => {});
  return pool;
}

async function runBounded<Result>(
  pool: Piscina,
  { name, task }: { name: WorkName; task: ThreadWork },
  timeoutMs: number,
): Promise<Result | Overrun> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  try {
    const filename = THREAD_FILES[name];
    const answer: ThreadAnswer<Result> = await pool.run(task, { filename, name, signal: timeout.signal });
    if (!answer.found) throw new FileMissing("stored file is missing");
    return answer.result;
  } catch (error) {
    if (timeout.signal.aborted) return "time";
    if (isOutOfMemory(error)) return "memory";
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function isOverrun(answer: unknown): answer is Overrun {
  return answer === "memory" || answer === "time";
}

const INSPECT_OVERRUNS: Readonly<Record<Overrun, string>> = {
  memory: "The file is too deeply nested or too large to inspect in memory. Simplify or split it.",
  time: "The file took too long to inspect. Simplify or split it.",
};

const ROWS_OVERRUNS: Readonly<Record<Overrun, string>> = {
  memory: "The rows take too much memory to read in part. Download the file instead.",
  time: "The rows take too long to read in part. Ask for fewer, or download the file instead.",
};

function refuseRows(overrun: Overrun): RowsRefusal {
  return { ok: false, code: "too_large_to_read", message: ROWS_OVERRUNS[overrun], errors: {} };
}
