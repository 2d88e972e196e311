import { applyMigrations, type Migrated } from "../../../sql/connection/migrate.ts";
import { ensureQueues } from "../jobs/install-queues.ts";

/**
 * Brings a database to the newest schema, job queues included; safe to run from many processes at once. With
 * `onlyExpand`, processes of the version before go on working.
 */
export async function migrate(
  databaseUrl: string,
  { onlyExpand = false }: { onlyExpand?: boolean } = {},
): Promise<Migrated> {
  return await applyMigrations(databaseUrl, {
    onlyExpand,
    afterwards: (client) => ensureQueues(client, databaseUrl),
  });
}
