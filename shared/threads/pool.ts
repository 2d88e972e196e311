import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { FileMissing } from "../files/store.ts";
import type { Overrun, ThreadAnswer, ThreadData, ThreadWork } from "./tasks.ts";

export interface ThreadsOptions {
  filesUrl: string;
  /** Threads for files and rows; drawings and statistics have threads of their own. */
  maxThreads: number;
  /** Threads for drawings, so that no row waits for a picture; 1 by default. */
  drawingThreads?: number;
  inspectTimeoutMs: number;
  rowsTimeoutMs: number;
  /** How long one block may take to draw; 30 seconds by default, a hundred times what the slowest takes. */
  drawTimeoutMs?: number;
  /**
   * The most heap of one thread. 256 fits files of 10 MiB: the worst of twenty kinds of hostile file stayed
   * under 192. Do not set it so low that files reach it often: V8 usually ends such a thread, but ends the
   * whole process where one allocation overshoots the limit.
   */
  memoryMb: number;
  /** Bytes of frequently read files in the table reader's memory; 256 MiB by default. */
  rowsCacheBytes?: number;
}

// A thread takes about 130 ms to start, so it stays alive between two uploads.
const IDLE_MS = 300_000;

const YOUNG_GENERATION_MB = 32;

const THREAD_FILES = {
  inspectStored: threadFile("inspect-thread.ts"),
  indexStored: threadFile("rows-thread.ts"),
  readStoredPage: threadFile("rows-thread.ts"),
  exportStored: threadFile("rows-thread.ts"),
  readMatches: threadFile("rows-thread.ts"),
  measureStored: threadFile("measure-thread.ts"),
  drawInThread: threadFile("draw-thread.ts"),
  paintArtwork: threadFile("artwork-thread.ts"),
} as const;

export type WorkName = keyof typeof THREAD_FILES;

function threadFile(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Opens a pool of threads; `niceIncrement` lowers their priority. */
export function openPool(options: ThreadsOptions, maxThreads: number, niceIncrement: number): Piscina {
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
  // A thread that dies without a task needs no handling; the next task starts another.
  pool.on("error", () => {});
  return pool;
}

/** Runs one task with a timeout and a limit of memory; returns which of them it exceeded. */
export async function runBounded<Result>(
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

/** Whether an answer says that its thread was ended. */
export function isOverrun(answer: unknown): answer is Overrun {
  return answer === "memory" || answer === "time";
}
