import type { ThreadAnswer, ThreadWork } from "./tasks.ts";

/** A task on its way into a thread: the module and function that do it, and where the thread notes when it began. */
export interface SentTask {
  file: string;
  name: string;
  task: ThreadWork;
  /** One 64-bit number: nanoseconds of the process's steady clock; zero until the work begins. */
  begun: SharedArrayBuffer;
}

/** Loads the module of a task and does the task, inside a thread; its time begins once the module is loaded. */
export async function runSentTask({ file, name, task, begun }: SentTask): Promise<ThreadAnswer<unknown>> {
  const module = await import(file);
  Atomics.store(new BigInt64Array(begun), 0, process.hrtime.bigint());
  return await module[name](task);
}
