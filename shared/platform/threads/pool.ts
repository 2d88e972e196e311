import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { tooMuchToDo } from "../../ground/errors.ts";
import {
  createFairSemaphore,
  type FairSemaphoreOptions,
  type Semaphore,
} from "../concurrency/fair-semaphore.ts";
import { currentRequester, waitWithoutPlace } from "../concurrency/places.ts";
import { FileMissing } from "../files/store.ts";
import type { SentTask, ThreadAnswer } from "./entry-thread.ts";
import { limitTime, type TimeLimit } from "./time-limits.ts";

export interface ThreadsOptions {
  filesUrl: string;
  /** Inspections and readings of rows at once; other work takes none of their threads. */
  maxThreads: number;
  /** Drawings at once, for which no row waits; 1 by default. */
  drawingThreads?: number;
  inspectTimeoutMs: number;
  /** How long a thread may go through the rows of a table for one answer. */
  rowsTimeoutMs: number;
  /** How long a thread may work on one question with groups or sorting; 2 seconds by default. */
  queryTimeoutMs?: number;
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
  /** Threads by the name of their pool, which stay for those who open their own with these again; none by default. */
  sharedThreads?: Map<PoolName, Piscina>;
}

type PoolName = "usual" | "low" | "texts";

/** Threads of one priority, and the file store that their tasks read. */
export interface TaskPool {
  threads: Piscina;
  filesUrl: string;
  /** Ends the threads, but not those that are shared; running tasks reject. */
  close(): Promise<void>;
}

// A thread takes about 130 ms to start, so it stays alive between two uploads.
const IDLE_MS = 300_000;

// What is short-lived in a thread: 32 kept a hundred megabytes more in the memory of an API process, and no answer was faster.
const YOUNG_GENERATION_MB = 4;

/** The modules of the works in threads, beside the one that loads them. */
const MODULES = {
  inspectStored: "./file-thread.ts",
  readRowsInThread: "./file-thread.ts",
  indexStored: "./file-thread.ts",
  readStoredPage: "./file-thread.ts",
  exportStored: "./file-thread.ts",
  measureStored: "./file-thread.ts",
  writeStoredParquet: "./file-thread.ts",
  checkInThread: "./file-thread.ts",
  answerInThread: "./question-thread.ts",
  digestInThread: "./question-thread.ts",
  startExportInThread: "./question-thread.ts",
  writePieceInThread: "./question-thread.ts",
  diffTablesInThread: "./question-thread.ts",
  writeDiffPageInThread: "./question-thread.ts",
  writeDiffPieceInThread: "./question-thread.ts",
  drawInThread: "./text-thread.ts",
  diffInThread: "./text-thread.ts",
  readInThread: "./text-thread.ts",
  indexInThread: "./text-thread.ts",
  renderInThread: "./text-thread.ts",
  paintArtwork: "./picture-thread.ts",
  drawFileOfChart: "./picture-thread.ts",
} as const;

type WorkName = keyof typeof MODULES;

const ENTRY = {
  filename: fileURLToPath(new URL("entry-thread.ts", import.meta.url)),
  name: "runSentTask",
};

/** Opens a pool of at most so many threads; `niceness` lowers their priority. They start with the first task. */
export function openPool(
  { filesUrl, memoryMb, sharedThreads }: Pick<ThreadsOptions, "filesUrl" | "memoryMb" | "sharedThreads">,
  { name, most, niceness }: { name: PoolName; most: number; niceness: number },
): TaskPool {
  const threads = sharedThreads?.get(name) ?? openThreadsOf(most, niceness, memoryMb);
  sharedThreads?.set(name, threads);
  return {
    threads,
    filesUrl,
    close: async () => {
      if (sharedThreads === undefined) await threads.destroy();
    },
  };
}

function openThreadsOf(most: number, niceness: number, memoryMb: number): Piscina {
  const threads = new Piscina({
    minThreads: 0,
    maxThreads: most,
    niceIncrement: niceness,
    idleTimeout: IDLE_MS,
    // A thread that waits on Atomics between tasks could not close the file that its last task left early.
    atomics: "disabled",
    execArgv: [],
    recordTiming: false,
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMb,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
    },
  });
  // A thread that dies without a task needs no handling; the next task starts another.
  threads.on("error", () => {});
  return threads;
}

type Works = typeof import("./file-thread.ts") &
  typeof import("./question-thread.ts") &
  typeof import("./text-thread.ts") &
  typeof import("./picture-thread.ts");
type MakeTask<Name extends WorkName> = () => Parameters<Works[Name]>[0] | Promise<Parameters<Works[Name]>[0]>;
type ResultOf<Name extends WorkName> = Awaited<ReturnType<Works[Name]>>;

/**
 * Runs a task of one kind in its order; the task is assembled once it is its turn. Throws `Overrun` above its time or
 * memory, and `FileMissing`.
 */
export type Run = <Name extends WorkName>(
  name: Name,
  makeTask: MakeTask<Name>,
  leaving?: AbortSignal,
) => Promise<ResultOf<Name>>;

/** The same in the turn of who asks, or as long as it takes. It ends soon after whoever asks has left. */
export type RunInTurn = <Name extends WorkName>(
  name: Name,
  makeTask: MakeTask<Name>,
  isPatient?: boolean,
) => Promise<ResultOf<Name>>;

/**
 * Opens a kind of work, which turns of those who ask bound, or an order. A pool has a thread for all that its kinds let run
 * at once: piscina leaves queued tasks waiting when the last thread dies, and so its queue stays empty.
 */
export function openRun(pool: TaskPool, timeoutMs: TimeLimit, inOrder: Semaphore = (work) => work()): Run {
  return <Name extends WorkName>(name: Name, makeTask: MakeTask<Name>, leaving?: AbortSignal) =>
    waitWithoutPlace(() =>
      inOrder<ResultOf<Name>>(() => runBounded(pool, name, makeTask, { timeoutMs, leaving })),
    );
}

/** Has those who ask for a kind of work take turns. */
export function openFairQueue(run: Run, turns: FairSemaphoreOptions): RunInTurn {
  const inTurn = createFairSemaphore(turns);
  return (name, makeTask, isPatient) => {
    const requester = currentRequester();
    return waitWithoutPlace(() => inTurn(requester, () => run(name, makeTask, requester.signal), isPatient));
  };
}

const RETRY_AFTER_SECONDS = 2;

/** Runs one task with a limit of time, counted from its begin in the thread, and one of memory; throws `Overrun`. */
async function runBounded<Name extends WorkName>(
  { threads, filesUrl }: TaskPool,
  name: Name,
  makeTask: MakeTask<Name>,
  { timeoutMs, leaving }: { timeoutMs: TimeLimit; leaving: AbortSignal | undefined },
): Promise<ResultOf<Name>> {
  const task = await makeTask();
  if (leaving?.aborted) throw tooMuchToDo(RETRY_AFTER_SECONDS);
  const begun = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  const limit = limitTime(begun, typeof timeoutMs === "number" ? timeoutMs : timeoutMs(task));
  leaving?.addEventListener("abort", limit.endSoon);
  try {
    const sent: SentTask = { module: MODULES[name], name, task, filesUrl, begun };
    const answer: ThreadAnswer<ResultOf<Name>> = await threads.run(sent, { ...ENTRY, signal: limit.signal });
    if (!answer.found) throw new FileMissing("stored file is missing");
    return answer.result;
  } catch (error) {
    if (leaving?.aborted) throw tooMuchToDo(RETRY_AFTER_SECONDS);
    if (limit.signal.aborted) throw new Overrun("time");
    if (isOutOfMemory(error)) throw new Overrun("memory");
    throw error;
  } finally {
    leaving?.removeEventListener("abort", limit.endSoon);
    limit.end();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/** A thread was ended, as its task exceeded its memory or its time. */
export class Overrun extends Error {
  override name = "Overrun";
  readonly of: "memory" | "time";
  constructor(of: Overrun["of"]) {
    super(`a task exceeded its ${of}`);
    this.of = of;
  }
}

/** The result of work, or what stands for one that exceeded its memory or time. */
export async function unlessOverrun<Result, Other>(
  work: Promise<Result>,
  otherwise: (of: Overrun["of"]) => Other,
): Promise<Result | Other> {
  return await work.catch((error: unknown) => {
    if (error instanceof Overrun) return otherwise(error.of);
    throw error;
  });
}

/** The result of work that may be left out: null where its thread was ended. */
export function orNull<Result>(work: Promise<Result>): Promise<Result | null> {
  return unlessOverrun(work, () => null);
}
