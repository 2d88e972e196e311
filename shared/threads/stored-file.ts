import { workerData } from "node:worker_threads";
import type { Source } from "../core/rows/read.ts";
import { openFileStore } from "../files/open.ts";
import { FileMissing, type FileStore } from "../files/store.ts";
import type { ThreadAnswer, ThreadData } from "./tasks.ts";

let store: FileStore | null = null;

/**
 * Runs a task on a stored object inside a thread, which opens the file store once. A piece of the source is
 * valid only until the next one.
 */
export async function runOnStoredFile<Result>(
  key: string,
  run: (source: Source) => Promise<Result>,
): Promise<ThreadAnswer<Result>> {
  const opened = openStoreOnce();
  try {
    return { found: true, result: await run((range) => opened.scan(key, range)) };
  } catch (error) {
    if (error instanceof FileMissing) return { found: false };
    throw error;
  }
}

/** The file store of this thread. */
export function openStoreOnce(): FileStore {
  const data: ThreadData = workerData;
  store ??= openFileStore(data.filesUrl);
  return store;
}
