import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { FileMissing } from "../files/store.ts";
import type { Overrun, ThreadAnswer, ThreadData, ThreadWork } from "./tasks.ts";

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

// A thread takes about 130 ms to start, so it outlives the pause between two uploads.
const IDLE_MS = 300_000;

const YOUNG_GENERATION_MB = 32;

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

export type WorkName = keyof typeof THREAD_FILES;

function threadFile(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

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
  // A thread that dies without a task has nobody to tell; the next task starts another.
  pool.on("error", () => {});
  return pool;
}

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

export function isOverrun(answer: unknown): answer is Overrun {
  return answer === "memory" || answer === "time";
}
