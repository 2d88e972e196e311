import type pg from "pg";
import { z } from "zod";
import { type Db, sql, Timestamp, texts } from "../connection/pool.ts";

export const QueueRow = z.strictObject({
  queue: z.string(),
  waiting: z.number(),
  active: z.number(),
  delayed: z.number(),
  failed: z.number(),
  /** Age in seconds of the longest waiting job; null when none waits. */
  oldest: z.number().nullable(),
});
/** The state of one queue: a row of `jobs status`. */
export type QueueRow = z.infer<typeof QueueRow>;

/** The state of pg-boss's queues, counted live; ages by the database's clock, which wrote those rows. */
export async function listQueueStatus(db: Db, names: readonly string[]) {
  return await db.any(sql.type(QueueRow)`
    SELECT q.name AS queue,
      count(*) FILTER (WHERE j.state IN ('created', 'retry') AND j.start_after <= clock_timestamp()) AS waiting,
      count(*) FILTER (WHERE j.state = 'active') AS active,
      count(*) FILTER (WHERE j.state IN ('created', 'retry') AND j.start_after > clock_timestamp()) AS delayed,
      (SELECT count(*) FROM pgboss.job d
        WHERE d.name = q.name || '-dead' AND d.state IN ('created', 'retry')) AS failed,
      floor(extract(epoch FROM clock_timestamp() - min(j.created_on)
        FILTER (WHERE j.state IN ('created', 'retry'))))::float8 AS oldest
    FROM pgboss.queue q LEFT JOIN pgboss.job j ON j.name = q.name
    WHERE q.name = ANY(${texts(names)}) GROUP BY q.name ORDER BY q.name`);
}

const DeadRow = z.strictObject({
  queue: z.string(),
  id: z.string(),
  failed_at: Timestamp,
  reason: z.string(),
  payload: z.string(),
});

/** The jobs in dead-letter queues, the latest first; the reason is the error of the last try. */
export async function listDeadJobs(db: Db, queues: readonly string[], most: number) {
  return await db.any(sql.type(DeadRow)`
    SELECT name AS queue, id::text AS id, created_on AS failed_at,
      left(coalesce(source_output ->> 'message', source_output #>> '{value,message}', source_output #>> '{value}',
        'no reason was kept'), 500) AS reason,
      coalesce(data, '{}')::text AS payload
    FROM pgboss.job WHERE name = ANY(${texts(queues)}) AND state IN ('created', 'retry')
    ORDER BY created_on DESC, id LIMIT ${most}`);
}

/** A queue of pg-boss in a database, with the options that an installation sets, by pg-boss's names of them. */
type InstalledQueue = { name: string } & Record<string, unknown>;

/** The version of pg-boss's schema in a database, and its queues; null where it was never installed. */
export async function findInstalledQueues(client: pg.Client) {
  const installed = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('pgboss.version') IS NOT NULL AND to_regclass('pgboss.queue') IS NOT NULL AS exists",
  );
  if (installed.rows[0]?.exists !== true) return null;
  const versions = await client.query<{ version: number }>("SELECT version FROM pgboss.version");
  const { rows } = await client.query<InstalledQueue>(
    `SELECT name, dead_letter AS "deadLetter", retry_limit AS "retryLimit", retry_delay AS "retryDelay",
      retry_backoff AS "retryBackoff", retry_delay_max AS "retryDelayMax", expire_seconds AS "expireInSeconds",
      heartbeat_seconds AS "heartbeatSeconds", deletion_seconds AS "deleteAfterSeconds", notify FROM pgboss.queue`,
  );
  return { version: Number(versions.rows[0]?.version), queues: rows };
}
