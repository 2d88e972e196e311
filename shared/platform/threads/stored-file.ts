import type { Source } from "../../tables/rows/read.ts";
import { openFileStore } from "../files/open.ts";
import { FileMissing, type FileStore } from "../files/store.ts";
import type { ThreadAnswer } from "./tasks.ts";

const stores = new Map<string, FileStore>();
let filesUrl = "";

/** Names the file store of the task that begins in this thread. */
export function useFiles(url: string): void {
  filesUrl = url;
}

/**
 * Runs a task on a stored object inside a thread, which opens a file store once. A piece of the source is
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

/** The file store of this thread's task. */
export function openStoreOnce(): FileStore {
  const store = stores.get(filesUrl) ?? openFileStore(filesUrl);
  stores.set(filesUrl, store);
  return store;
}
