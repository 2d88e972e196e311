import { applyMigrations } from "../../sql/connection/migrate.ts";
import { installQueues } from "../jobs/pg-boss.ts";

/** Brings a database to the newest schema, job queues included; safe to run from many processes at once. */
export async function migrate(databaseUrl: string): Promise<{ applied: string[] }> {
  return await applyMigrations(databaseUrl, () => installQueues(databaseUrl));
}
