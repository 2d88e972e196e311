import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { compareMigrations, GO_TO_0_4_0 } from "../../../sql/connection/migrate.ts";
import { type Db, openPool } from "../../../sql/connection/pool.ts";
import { VERSION } from "../../ground/version.ts";
import type { Deps } from "../deps.ts";

const LOOK_EVERY_MS = 1_000;
/** A slow Redis is counted without, and is no reason to take a process out of service. */
const PROBE_MS = 1_000;

/** Why a process cannot work, and what an operator does about it. */
export interface Unreadiness {
  reason: string;
  mend: string;
}

/** Why this process cannot work: its database, that one's schema, or a configured Redis; null where it can. */
export async function findUnreadiness(deps: Deps): Promise<Unreadiness | null> {
  try {
    if (deps.redis !== null) await (await import("../jobs/redis.ts")).ping(deps.redis, PROBE_MS);
  } catch {
    return { reason: "Redis does not answer.", mend: "Check REDIS_URL and the server behind it." };
  }
  try {
    return await findSchemaProblem(deps.pool);
  } catch {
    return { reason: "The database does not answer.", mend: "Check DATABASE_URL and the server behind it." };
  }
}

/** Why this code does not work with the schema of a database; null where it does. */
export async function findSchemaProblem(db: Db): Promise<Unreadiness | null> {
  const { isTooOld, missing, tooNew } = await compareMigrations(db);
  if (tooNew.length > 0) {
    const reason = `The database is newer than version ${VERSION}: it has run ${tooNew.join(", ")}.`;
    return { reason, mend: "Run the newer version, or restore a backup of before with backup restore." };
  }
  if (isTooOld) return { reason: "The database is older than version 0.4.0.", mend: GO_TO_0_4_0 };
  if (missing.length === 0) return null;
  return {
    reason: `The database is older than version ${VERSION}: it has not run ${missing.join(", ")}.`,
    mend: "Run npm run migrate, or npm run migrate -- --expand while processes of the version before run.",
  };
}

/**
 * Waits until the schema of the database is one that this code works with, and says in the log what it waits for.
 * `meanwhile` answers in that time, and what it returns ends it. A database that does not answer is left to the caller.
 */
export async function untilSchemaFits(
  databaseUrl: string,
  log: Logger,
  meanwhile: (problem: Unreadiness) => Promise<() => Promise<void>> = async () => async () => undefined,
): Promise<void> {
  const pool = await openPool(databaseUrl, { maxConnections: 1 });
  try {
    const problem = await findSchemaProblem(pool).catch(() => null);
    if (problem === null) return;
    log.error(problem, `not ready: ${problem.reason} ${problem.mend}`);
    const end = await meanwhile(problem);
    while ((await findSchemaProblem(pool).catch(() => problem)) !== null) await delay(LOOK_EVERY_MS);
    await end();
    log.info("the database has the schema of this version now");
  } finally {
    await pool.end();
  }
}
