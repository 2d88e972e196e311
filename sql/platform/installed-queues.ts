import type pg from "pg";

/** A queue of pg-boss in a database, with the options that an installation sets. */
export interface InstalledQueue {
  name: string;
  dead_letter: string | null;
  retry_limit: number;
  retry_delay: number;
  retry_backoff: boolean;
  retry_delay_max: number | null;
  expire_seconds: number;
  heartbeat_seconds: number | null;
  deletion_seconds: number;
  notify: boolean;
}

/** The version of pg-boss's schema in a database, and its queues; null where it was never installed. */
export async function findInstalledQueues(
  client: pg.Client,
): Promise<{ version: number; queues: InstalledQueue[] } | null> {
  const installed = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('pgboss.version') IS NOT NULL AND to_regclass('pgboss.queue') IS NOT NULL AS exists",
  );
  if (installed.rows[0]?.exists !== true) return null;
  const versions = await client.query<{ version: number }>("SELECT version FROM pgboss.version");
  const { rows } = await client.query<InstalledQueue>(
    `SELECT name, dead_letter, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds,
      heartbeat_seconds, deletion_seconds, notify FROM pgboss.queue`,
  );
  return { version: Number(versions.rows[0]?.version), queues: rows };
}
