import { createRequire } from "node:module";
import type pg from "pg";
import { findInstalledQueues } from "../../../sql/platform/job-queues.ts";
import { WANTED_QUEUES } from "./queue-options.ts";

/**
 * Creates or updates pg-boss's own schema, and a queue with a dead-letter queue for every job of the catalogue. Where
 * all is as it would leave it, which is so at every start but that of a new version, pg-boss is not loaded: it takes as
 * much of the processor as the rest of a command.
 */
export async function ensureQueues(client: pg.Client, databaseUrl: string): Promise<void> {
  if (await hasQueues(client)) return;
  const { installQueues } = await import("./pg-boss.ts");
  await installQueues(databaseUrl);
}

/** Whether an installation would change nothing. */
export async function hasQueues(client: pg.Client): Promise<boolean> {
  const found = await findInstalledQueues(client);
  if (found === null || found.version !== readSchemaVersion()) return false;
  const installed = new Map(found.queues.map((queue) => [queue.name, queue]));
  // The policy of a queue stays what it was made with, so it is not compared.
  return WANTED_QUEUES.every(
    ({ name, options }) =>
      installed.has(options.deadLetter) &&
      Object.entries(options).every(([option, value]) => installed.get(name)?.[option] === value),
  );
}

function readSchemaVersion(): number {
  return createRequire(import.meta.url)("pg-boss/package.json").pgboss.schema;
}
