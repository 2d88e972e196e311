import { z } from "zod";
import { type Db, sql, Timestamp, texts } from "../connection/pool.ts";

/** An act that took something away, as the audit log has it; `by` is whom a removal of content names. */
const Removal = z.strictObject({
  id: z.number(),
  at: Timestamp,
  action: z.string(),
  subject_id: z.string(),
  by: z.string().nullable(),
});

/** Acts of these names after an entry of the audit log, oldest first; those of the service itself follow from others. */
export async function listRemovalsAfter(db: Db, afterId: number, actions: readonly string[], limit: number) {
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
