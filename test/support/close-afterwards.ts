import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished, TestRunner } from "vitest";

/**
 * Closes what a test opens after that test, and what a file opens at its top after the file's last test, the latest
 * first. The same call closes it earlier; it is closed once.
 */
export function closeAfterwards(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  const closeOnce = () => {
    closed ??= close();
    return closed;
  };
  if (TestRunner.getCurrentTest() === undefined) afterAll(closeOnce);
  else onTestFinished(closeOnce);
  return closeOnce;
}

/** An empty folder, removed after the test or the file that asked for it. */
export async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), "broadsheet-test-"));
  closeAfterwards(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
