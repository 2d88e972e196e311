import { FileMissing } from "../files/store.ts";

/** A task on its way into a thread: the module and function that do it, and where the thread notes when it began. */
export interface SentTask {
  module: string;
  name: string;
  task: object;
  /** The file store that the task reads. */
  filesUrl: string;
  /** One 64-bit number: nanoseconds of the process's steady clock; zero until the work begins. */
  begun: SharedArrayBuffer;
}

/** A thread's answer; an error would lose its class on the way back. */
export type ThreadAnswer<Result> = { found: true; result: Result } | { found: false };

/** Loads the module of a task and does the task, inside a thread; its time begins once the module is loaded. */
export async function runSentTask(sent: SentTask): Promise<ThreadAnswer<unknown>> {
  const { module, name, task, filesUrl, begun } = sent;
  const works = await import(module);
  Atomics.store(new BigInt64Array(begun), 0, process.hrtime.bigint());
  try {
    return { found: true, result: await works[name](task, filesUrl) };
  } catch (error) {
    if (error instanceof FileMissing) return { found: false };
    throw error;
  }
}
