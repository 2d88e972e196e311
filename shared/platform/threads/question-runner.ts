import { createFairSemaphore, type Requester } from "../concurrency/fair-semaphore.ts";
import { openPool, runBounded, type ThreadsOptions, type WorkName } from "./pool.ts";
import type { Overrun, QuestionTask } from "./tasks.ts";

/** Runs a part of a reader's question in its requester's turn; a task is assembled in its turn. */
export type RunQuestion = <Result>(
  requester: Requester,
  name: WorkName,
  makeTask: () => Promise<QuestionTask>,
  isPatient?: boolean,
) => Promise<Result | Overrun>;

const THREADS = 2;
// Pages and rows come first: these threads get a tenth of the time that others want as well.
const NICENESS = 10;
/** The longest work of a thread on one question. */
export const QUERY_TIMEOUT_MS = 2_000;
const TURNS = { most: THREADS, mostOfKey: 2, mostWaitMs: 10_000 };

/** Opens the threads of questions, which those about one table and those about two share. */
export function openQuestionRunner(options: ThreadsOptions): { run: RunQuestion; close(): Promise<void> } {
  const pool = openPool(options, { name: "questions", most: THREADS, niceness: NICENESS });
  const inTurn = createFairSemaphore(TURNS);
  const timeoutMs = options.queryTimeoutMs ?? QUERY_TIMEOUT_MS;
  const run: RunQuestion = <Result>(
    requester: Requester,
    name: WorkName,
    makeTask: () => Promise<QuestionTask>,
    isPatient = false,
  ) =>
    inTurn(requester, async () => runBounded<Result>(pool, { name, task: await makeTask() }, timeoutMs), {
      isPatient,
    });
  return { run, close: () => pool.close() };
}
