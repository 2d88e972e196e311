import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import type { FileFormat, Verdict } from "../core/inspect/verdict.ts";
import type { RowsLimits, RowsQuery } from "../core/rows/query.ts";
import type { RowsFile, RowsOutcome } from "../core/rows/read.ts";
import { FileMissing } from "../files/store.ts";
import { createSlots } from "./slots.ts";
import type { InspectTask, RowsTask, ThreadAnswer, ThreadData } from "./tasks.ts";

export interface ThreadsOptions {
  filesUrl: string;
  maxThreads: number;
  inspectTimeoutMs: number;
  rowsTimeoutMs: number;
  /**
   * Most heap that one thread may take. 256 is right for files of 10 MiB: the worst of twenty kinds of hostile file
   * stayed under 192. Do not set it so low that files reach it often: V8 ends such a thread as a rule, and the
   * whole process where one allocation overshoots the limit.
   */
  memoryMb: number;
}

/** Heavy work on stored files, off the event loop, each task bounded in time and memory. */
export interface Threads {
  /** Inspects a stored file. Throws `FileMissing` when there is none. */
  inspect(key: string, format: FileFormat): Promise<Verdict>;
  /** Reads rows of a stored file that passed inspection. Throws `FileMissing` when there is none. */
  readRows(key: string, file: RowsFile, query: RowsQuery, limits: RowsLimits): Promise<RowsOutcome>;
  /** Ends every thread; running tasks reject. */
  close(): Promise<void>;
}

/** Why a thread was ended before it answered. */
type Overrun = "memory" | "time";

// A thread takes about 130 ms to start, so it outlives the pause between two uploads.
const IDLE_MS = 300_000;
const YOUNG_GENERATION_MB = 32;

/** Opens the pool; threads start with the first task, and idle ones do not keep the process alive. */
export function openThreads(options: ThreadsOptions): Threads {
  const pool = openPool(options);
  // piscina leaves queued tasks waiting when the last thread dies, and starts a task's signal before the task:
  // with slots of our own its queue stays empty and a task's time begins with its turn.
  const inSlot = createSlots(options.maxThreads);
  const run = <Result>(task: ThreadTask, timeoutMs: number): Promise<Result | Overrun> =>
    inSlot(() => runBounded<Result>(pool, task, timeoutMs));
  return {
    inspect: async (key, format) => {
      const task: InspectTask = { key, format };
      const verdict = await run<Verdict>({ ...INSPECT, task }, options.inspectTimeoutMs);
      return isOverrun(verdict) ? { ok: false, reason: INSPECT_OVERRUNS[verdict] } : verdict;
    },
    readRows: async (key, file, query, limits) => {
      const task: RowsTask = { key, file, query, limits };
      const outcome = await run<RowsOutcome>({ ...ROWS, task }, options.rowsTimeoutMs);
      return isOverrun(outcome) ? refuseRows(outcome) : outcome;
    },
    close: () => pool.destroy(),
  };
}

interface ThreadTask {
  filename: string;
  name: string;
  task: InspectTask | RowsTask;
}

const INSPECT = { filename: threadFile("inspect-thread.ts"), name: "inspectStored" };
const ROWS = { filename: threadFile("rows-thread.ts"), name: "readStoredRows" };

function threadFile(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

function openPool(options: ThreadsOptions): Piscina {
  const data: ThreadData = { filesUrl: options.filesUrl };
  const pool = new Piscina({
    minThreads: 0,
    maxThreads: options.maxThreads,
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
  { filename, name, task }: ThreadTask,
  timeoutMs: number,
): Promise<Result | Overrun> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  try {
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

function refuseRows(overrun: Overrun): RowsOutcome {
  return { ok: false, code: "too_large_to_read", message: ROWS_OVERRUNS[overrun], errors: {} };
}
