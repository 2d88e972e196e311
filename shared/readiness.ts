import { hasAllMigrations } from "../sql/migrate.ts";
import type { Deps } from "./deps.ts";

/** Whether this process can do its work: the database answers and its schema is this code's. */
export async function isReady(deps: Deps): Promise<boolean> {
  try {
    return await hasAllMigrations(deps.pool);
  } catch {
    return false;
  }
}
