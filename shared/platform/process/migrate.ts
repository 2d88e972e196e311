import {
  applyMigrations,
  DatabaseTooOld,
  type Extent,
  type Migrated,
} from "../../../sql/connection/migrate.ts";
import { ConfigError } from "../../ground/errors.ts";
import { ensureQueues } from "../jobs/install-queues.ts";

/**
 * Brings a database to the newest schema, job queues included; safe to run from many processes at once. With
 * `onlyExpand`, processes of the version before go on working. Throws `ConfigError` on a database of before 0.4.0.
 */
export async function migrate(databaseUrl: string, extent: Extent = {}): Promise<Migrated> {
  try {
    return await applyMigrations(databaseUrl, {
      ...extent,
      afterwards: (client) => ensureQueues(client, databaseUrl),
    });
  } catch (error) {
    throw error instanceof DatabaseTooOld ? new ConfigError(error.message) : error;
  }
}
