import { rm } from "node:fs/promises";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { startEmbeddedPostgres } from "../../cli/embedded/postgres.ts";

/** A data folder whose PostgreSQL was initialised and stopped, for every start of a file. */
export interface PreparedDataFolder {
  path: string;
  remove(): Promise<void>;
}

/**
 * Initialises a data folder once for many starts, each after a test that left nothing running there: initdb takes 3 s
 * of the processor, a copy of the folder another. First starts have tests of their own.
 */
export async function prepareDataFolder(): Promise<PreparedDataFolder> {
  const path = await makeTemporaryDataFolder("broadsheet-test-");
  const postgres = await startEmbeddedPostgres({ dataDir: path, log: () => undefined });
  await postgres.stop();
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
