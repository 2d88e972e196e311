import { ulid } from "ulid";
import { openFileStore } from "../../../../shared/platform/files/open.ts";
import { openThreads } from "../../../../shared/platform/threads/open.ts";
import type { ThreadsOptions } from "../../../../shared/platform/threads/pool.ts";
import { closeAfterwards, openFolder } from "../../../support/close-afterwards.ts";
import { streamBytes } from "../../tables/inspection/sources.ts";

/** A store in a folder of its own and threads over it, both gone after the test. */
export async function openStoredThreads(options: Partial<ThreadsOptions> = {}) {
  const folder = await openFolder();
  const filesUrl = `file:${folder}`;
  const timeouts = { inspectTimeoutMs: 20_000, rowsTimeoutMs: 20_000 };
  const threads = openThreads({ filesUrl, maxThreads: 2, ...timeouts, memoryMb: 256, ...options });
  closeAfterwards(threads.close);
  const put = async (content: string | Buffer): Promise<string> => {
    const key = ulid();
    await openFileStore(filesUrl).put(key, streamBytes(content));
    return key;
  };
  return { threads, put, filesUrl, folder };
}
