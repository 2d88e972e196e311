import { hasAllMigrations } from "../../sql/connection/migrate.ts";
import type { Deps } from "../deps.ts";

/** Whether this process can do its work: the database answers, its schema is this code's, and so does a Redis in use. */
export async function isReady(deps: Deps): Promise<boolean> {
  try {
    await deps.redis?.ping();
    return await hasAllMigrations(deps.pool);
  } catch {
    return false;
  }
}
