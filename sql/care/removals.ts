import { z } from "zod";
import { type Db, type Pool, sql, Timestamp, texts } from "../connection/pool.ts";

const Removal = z.strictObject({
  id: z.number(),
  at: Timestamp,
  action: z.string(),
  subject_id: z.string(),
  by: z.string().nullable(),
});

/** An act that took something away, as the audit log has it; `by` is whom a removal of content names. */
export type RemovalRow = z.infer<typeof Removal>;

/** Acts of these names after an entry of the audit log, oldest first; those of the service itself follow from others. */
export async function listRemovalsAfter(
  db: Db,
  afterId: number,
  actions: readonly string[],
  limit: number,
): Promise<readonly RemovalRow[]> {
  return await db.any(sql.type(Removal)`
    SELECT id, at, action, subject_id, detail ->> 'by' AS by FROM audit_log
    WHERE id > ${afterId} AND action = ANY(${texts(actions)}) AND actor_kind <> 'service'
    ORDER BY id LIMIT ${limit}`);
}

/** The number of the newest entry of the audit log, 0 without one. */
export async function findLastAuditId(db: Db): Promise<number> {
  return await db.oneFirst(sql.type(z.strictObject({ id: z.number() }))`
    SELECT coalesce(max(id), 0) AS id FROM audit_log`);
}

/** Lets the audit log go on after a number that entries of another timeline have reached. */
export async function skipAuditIds(db: Db, lastId: number): Promise<void> {
  await db.query(sql.type(z.unknown())`
    SELECT setval(pg_get_serial_sequence('audit_log', 'id'),
      greatest(${lastId}, (SELECT coalesce(max(id), 1) FROM audit_log)))`);
}

/** Runs work unless another process does; the lock of a killed process ends with its connection. */
export async function tryWithRemovalsLock<T>(pool: Pool, work: () => Promise<T>): Promise<T | null> {
  return await pool.connect(async (connection) => {
    const key = sql.fragment`hashtextextended('removals', 0)`;
    const locked = await connection.oneFirst(sql.type(z.strictObject({ locked: z.boolean() }))`
      SELECT pg_try_advisory_lock(${key}) AS locked`);
    if (!locked) return null;
    try {
      return await work();
    } finally {
      await connection.query(sql.type(z.unknown())`SELECT pg_advisory_unlock(${key})`);
    }
  });
}
