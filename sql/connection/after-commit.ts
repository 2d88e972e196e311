import { AsyncLocalStorage } from "node:async_hooks";

type Work = () => Promise<void>;

const current = new AsyncLocalStorage<Work[]>();

/**
 * Runs work once the open transaction has committed, and never when it is rolled back: for effects that
 * PostgreSQL cannot undo, such as a job in another engine. The work must have its own timeout and not throw.
 */
export function afterCommit(work: Work): void {
  const waiting = current.getStore();
  if (waiting === undefined) throw new Error("there is no open transaction whose commit could be awaited");
  waiting.push(work);
}

/**
 * Runs a transaction and then the work that its committed run registered; a repeated run starts with none.
 */
export async function runWithAfterCommit<Result>(
  runTransaction: (wrap: <Inner>(handler: () => Promise<Inner>) => Promise<Inner>) => Promise<Result>,
): Promise<Result> {
  let waiting: Work[] = [];
  const result = await runTransaction((handler) => {
    waiting = [];
    return current.run(waiting, handler);
  });
  await Promise.all(waiting.map((work) => work()));
  return result;
}
