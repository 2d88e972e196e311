import type { TextDiff } from "../../tables/differences/diff-texts.ts";
import type { Verdict } from "../../tables/inspection/verdict.ts";
import type { QueryPage } from "../../tables/questions/write-page.ts";
import type { RowsOutcome } from "../../tables/rows/page.ts";
import type { RowsRefusal } from "../../tables/rows/plan.ts";
import type { ExportFormat } from "../../tables/rows/text-rows.ts";
import type { MeasuredFile } from "../../tables/statistics/measure-file.ts";
import type { Drawable } from "../../text/drawing/draw-block.ts";
import { createFairSemaphore, type Requester } from "../concurrency/fair-semaphore.ts";
import { openIdleGate } from "../concurrency/idle-gate.ts";
import { createSemaphore } from "../concurrency/semaphore.ts";
import { createSingleFlight } from "../concurrency/single-flight.ts";
import { openFileStore } from "../files/open.ts";
import { openBackground } from "./background.ts";
import { openChecking } from "./check-files.ts";
import { COMPARE_TIMEOUT_MS, COMPARING_THREADS, openComparing } from "./compare-texts.ts";
import { type Inspect, openInspecting } from "./inspect-files.ts";
import { MEASURING_WAIT, openMeasuring } from "./measure-files.ts";
import { openPaintingBehind } from "./paint-behind.ts";
import {
  isOverrun,
  openPool,
  runBounded,
  type TaskPool,
  type ThreadsOptions,
  type WorkName,
} from "./pool.ts";
import { openQueryReader, type QueryReader, type TableQuestion } from "./query-reader.ts";
import { openQuestionRunner } from "./question-runner.ts";
import { answerOrRefuse, DIFF_OVERRUNS, QUERY_OVERRUNS } from "./refuse-overrun.ts";
import { createRowsCache } from "./rows-cache.ts";
import {
  type DiffExport,
  type DiffOfFiles,
  type DiffPage,
  openTableDiffReader,
  type PlannedDiff,
  type TableDiffReader,
} from "./table-diff-reader.ts";
import { openTableReader, type RowsExport, type RowsQuestion } from "./table-reader.ts";
import type {
  ChartFileTask,
  CheckedTables,
  CheckTask,
  DiffTask,
  MeasureTask,
  Overrun,
  PaintTask,
  ParquetTask,
  Pictures,
  ThreadWork,
  WrittenParquet,
} from "./tasks.ts";
import { openParquetWriting } from "./write-parquet.ts";

/** Heavy work on stored files, off the event loop, each task bounded in time and memory. */
export interface Threads {
  /**
   * Inspects a stored file; `progress` holds one 32-bit number, which counts the bytes read. Throws `FileMissing` for a
   * missing file.
   */
  inspect: Inspect;
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
  /**
   * The statistics of every table of a stored file that passed inspection (`measure-file.ts`); null over their
   * time or memory. Throws `FileMissing` for a missing file.
   */
  measure(task: MeasureTask): Promise<MeasuredFile | null>;
  /** Stores tables of a file as Parquet files; null over their time or memory. Throws `FileMissing` for a missing file. */
  writeParquet(task: ParquetTask): Promise<WrittenParquet[] | null>;
  /** Resolves to true once no upload waits for its verdict, to false after `mostMs`. */
  untilIdle(mostMs: number): Promise<boolean>;
  /** The figure of a block; null for one that cannot be drawn within its time and memory. */
  draw(block: Drawable): Promise<string | null>;
  /** An artwork's pictures; null on a timeout. Concurrent requests for one artwork share one drawing. */
  paint(task: PaintTask): Promise<Pictures | null>;
  /** As `paint`, for what no request waits for: it takes the processor only while nothing else does. */
  paintBehind(task: PaintTask): Promise<Pictures | null>;
  /**
   * The file of a chart; null over its time or memory, or for a block that is not read any more. Concurrent requests
   * for one file share one drawing, and `tell` is called once for all of them.
   */
  drawChartFile(
    task: ChartFileTask,
    tell?: (file: string | Uint8Array | null) => void,
  ): Promise<string | Uint8Array | null>;
  /** What two texts have in common and what not; of whole lines where the words would take too long. */
  compareTexts(task: DiffTask): Promise<TextDiff>;
  /** Looks up the rules of dictionaries in their files. Throws `FileMissing` for a missing file. */
  check(requester: Requester, makeTask: () => Promise<CheckTask>): Promise<CheckedTables | Overrun>;
  /** Ends every thread; running tasks reject. */
  close(): Promise<void>;
}

const DRAWING_THREADS = 1;
// A save counts the work, so this ends only what nobody foresaw. It is long because such a block stays undrawn.
const DRAW_TIMEOUT_MS = 30_000;
const PAINT_TIMEOUT_MS = 5_000;

// With its work of up to 10 seconds, a question is answered within the 30 seconds that an answer may take.
const ROWS_TURNS = { mostOfKey: 2, mostWaitMs: 10_000 };

const ROWS_CACHE_BYTES = 256 * 1024 * 1024;
// What changed between two files of a million rows takes some 10 MiB.
const DIFF_CACHE_SHARE = 1 / 8;

/**
 * Opens the threads; they start with the first task, and idle ones do not prevent the process from exiting.
 */
export function openThreads(options: ThreadsOptions): Threads {
  const drawingThreads = options.drawingThreads ?? DRAWING_THREADS;
  const pool = openPool(options, {
    name: "files",
    most: options.maxThreads + drawingThreads + COMPARING_THREADS,
    niceness: 0,
  });
  // piscina leaves queued tasks waiting when the last thread dies, and starts a task's signal before the
  // task: behind a semaphore its queue stays empty, and a task's time begins when a thread is free.
  const inOrder = createSemaphore(options.maxThreads);
  const run: Run = <Result>(name: WorkName, makeTask: MakeTask, timeoutMs: number) =>
    inOrder(async () => runBounded<Result>(pool, { name, task: await makeTask() }, timeoutMs));
  const idleGate = openIdleGate(MEASURING_WAIT.restMs);
  const background = openBackground(options);
  const measuring = openMeasuring(background, idleGate);
  const painting = openPaintingBehind(options);
  const cacheBytes = options.rowsCacheBytes ?? ROWS_CACHE_BYTES;
  const cache = createRowsCache(cacheBytes);
  const tables = openTables(options, cache, run);
  const questions = openQuestionRunner(options);
  const checking = openChecking(options);
  return {
    inspect: openInspecting(idleGate, (task) =>
      run<Verdict>("inspectStored", () => task, options.inspectTimeoutMs),
    ),
    readRows: async (question) => answerOrRefuse(await tables.answer(question)),
    exportRows: async (question, format) => answerOrRefuse(await tables.export(question, format)),
    ...openQueries(openQueryReader(questions.run, tables, cache)),
    ...openDiffs(openTableDiffReader(questions.run, tables, Math.floor(cacheBytes * DIFF_CACHE_SHARE))),
    measure: (task) => measuring.measure(task),
    ...openParquetWriting(background),
    untilIdle: idleGate.wait,
    ...openDrawing(options, pool, drawingThreads),
    paintBehind: painting.paintBehind,
    check: (requester, makeTask) => checking.check(requester, makeTask),
    compareTexts: openComparing((task) =>
      runBounded<TextDiff>(pool, { name: "diffInThread", task }, COMPARE_TIMEOUT_MS),
    ),
    close: async () => {
      cache.clear();
      await Promise.all([pool, background.pool, painting, questions, checking].map((one) => one.close()));
    },
  };
}

/** Questions with groups, aggregates and sorting. */
function openQueries(queries: QueryReader): Pick<Threads, "query" | "exportQuery"> {
  return {
    query: async (question) => answerOrRefuse(await queries.answer(question), QUERY_OVERRUNS),
    exportQuery: async (question, format) =>
      answerOrRefuse(await queries.export(question, format), QUERY_OVERRUNS),
  };
}

/** Comparisons of files, each bounded as a question. */
function openDiffs(diffs: TableDiffReader): Pick<Threads, "diffFiles" | "readDiff" | "exportDiff"> {
  return {
    diffFiles: async (question) => answerOrRefuse(await diffs.find(question), DIFF_OVERRUNS),
    readDiff: async (question, page) => answerOrRefuse(await diffs.page(question, page), DIFF_OVERRUNS),
    exportDiff: async (question, wanted) =>
      answerOrRefuse(await diffs.export(question, wanted), DIFF_OVERRUNS),
  };
}

/** Drawings, in an order of their own. */
function openDrawing(
  options: ThreadsOptions,
  pool: TaskPool,
  threads: number,
): Pick<Threads, "draw" | "paint" | "drawChartFile"> {
  const inOrder = createSemaphore(threads);
  const run = <Result>(name: WorkName, task: ThreadWork, timeoutMs: number) =>
    inOrder(async () => {
      const result = await runBounded<Result>(pool, { name, task }, timeoutMs);
      return isOverrun(result) ? null : result;
    });
  const paintOnce = createSingleFlight<Pictures | null>();
  const drawFileOnce = createSingleFlight<string | Uint8Array | null>();
  return {
    draw: (block) => run<string | null>("drawInThread", block, options.drawTimeoutMs ?? DRAW_TIMEOUT_MS),
    paint: (task) =>
      paintOnce(JSON.stringify(task), () => run<Pictures>("paintArtwork", task, PAINT_TIMEOUT_MS)),
    drawChartFile: (task, tell) =>
      drawFileOnce(JSON.stringify(task), async () => {
        const file = await run<string | Uint8Array | null>("drawFileOfChart", task, PAINT_TIMEOUT_MS);
        tell?.(file);
        return file;
      }),
  };
}

type MakeTask = () => ThreadWork | Promise<ThreadWork>;
type Run = <Result>(name: WorkName, makeTask: MakeTask, timeoutMs: number) => Promise<Result | Overrun>;

/** Questions about rows, each in its requester's turn. */
function openTables(options: ThreadsOptions, cache: ReturnType<typeof createRowsCache>, run: Run) {
  const inTurn = createFairSemaphore({ most: options.maxThreads, ...ROWS_TURNS });
  const runRows = <Result>(requester: Requester, name: WorkName, makeTask: MakeTask, isPatient = false) =>
    inTurn(requester, () => run<Result>(name, makeTask, options.rowsTimeoutMs), { isPatient });
  return openTableReader(openFileStore(options.filesUrl), cache, {
    index: (requester, task) => runRows(requester, "indexStored", () => task),
    export: (requester, task, isPatient) => runRows(requester, "exportStored", () => task, isPatient),
    page: (requester, task) => runRows(requester, "readStoredPage", () => task),
    matches: (requester, makeTask) => runRows(requester, "readMatches", makeTask),
  });
}
