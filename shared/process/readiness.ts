import { hasAllMigrations } from "../../sql/connection/migrate.ts";
import type { Deps } from "../deps.ts";

/**
 * Whether this process can work: the database answers with this code's schema, and a configured Redis
 * answers.
 */
export async function isReady(deps: Deps): Promise<boolean> {
  try {
    await deps.redis?.ping();
    return await hasAllMigrations(deps.pool);
  } catch {
    return false;
  }
}
