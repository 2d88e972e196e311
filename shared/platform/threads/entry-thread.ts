import { useFiles } from "./stored-file.ts";
import type { ThreadWork } from "./tasks.ts";

/** A task on its way into a thread: the module and function that do it, and where the thread notes when it began. */
export interface SentTask {
  module: string;
  name: string;
  task: ThreadWork;
  /** The file store that the task reads. */
  filesUrl: string;
  /** One 64-bit number: nanoseconds of the process's steady clock; zero until the work begins. */
  begun: SharedArrayBuffer;
}

/** Loads the module of a task and does the task, inside a thread; its time begins once the module is loaded. */
export async function runSentTask({ module, name, task, filesUrl, begun }: SentTask): Promise<unknown> {
  const works = await import(module);
  useFiles(filesUrl);
  Atomics.store(new BigInt64Array(begun), 0, process.hrtime.bigint());
  return await works[name](task);
}
