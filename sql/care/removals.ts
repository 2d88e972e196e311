import { z } from "zod";
import { type Db, sql, Timestamp, texts } from "../connection/pool.ts";
import { BlockKind, hashOf } from "./blocks.ts";

/** What doing an act again needs beside its subject: ids and codes, of a block what it names and until when. */
const Facts = z.strictObject({
  visibility: z.string().optional(),
  superseded_by: z.string().optional(),
  domain_id: z.string().optional(),
  kind: BlockKind.optional(),
  value: z.string().optional(),
  until: z.string().optional(),
});

/** An act that took something away or gave it back, as the audit log has it; `by` is whom a removal of content names. */
export const ListedAct = z.strictObject({
  id: z.number(),
  action: z.string(),
  subject_id: z.string(),
  by: z.enum(["owner", "moderator"]).nullable(),
  facts: Facts.optional(),
});
export type ListedAct = z.infer<typeof ListedAct>;

/**
 * Acts of these names after an entry of the audit log, oldest first. Those of the service itself follow from others, but
 * for what it publishes on schedule.
 */
export async function listRemovalsAfter(db: Db, afterId: number, actions: readonly string[], limit: number) {
  return await db.any(sql.type(ListedAct.extend({ at: Timestamp }))`
    SELECT g.id, g.at, g.action, g.subject_id, g.detail ->> 'by' AS by,
      jsonb_strip_nulls(jsonb_build_object('visibility', g.detail -> 'visibility',
        'superseded_by', g.detail -> 'superseded_by', 'domain_id', g.detail -> 'domain_id',
        'kind', b.kind, 'until', b.until,
        'value', CASE WHEN b.value LIKE '%@%' THEN ${hashOf(sql.fragment`b.value`)} ELSE b.value END)) AS facts
    FROM audit_log g LEFT JOIN blocks b ON g.action = 'block.add' AND b.id = g.subject_id
    WHERE g.id > ${afterId} AND g.action = ANY(${texts(actions)})
      AND (g.actor_kind <> 'service' OR g.action = 'schedule.publish')
    ORDER BY g.id LIMIT ${limit}`);
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
