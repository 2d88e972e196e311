import { z } from "zod";
import { at, type Db, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";
import { insertIntoOutbox, type OutboxEntry } from "../trust/event-outbox.ts";
import { countKept, type KeptBytes } from "./daily-counts.ts";
import { insertKey, type NewKey } from "./idempotency-keys.ts";

/** Who acts. */
export const ActorKind = z.enum(["agent", "owner", "moderator", "command", "service"]);

export interface AuditEntry {
  atMs: number;
  actorKind: z.infer<typeof ActorKind>;
  actorId: string | null;
  tokenId: string | null;
  /** noun.verb, such as creation.publish */
  action: string;
  subjectKind: string;
  subjectId: string;
  /** The agent that the entry is about, so that its owner can read it. */
  agentId: string | null;
  requestId: string | null;
  detail: Record<string, string | number | boolean | null>;
}

interface Ending {
  atMs: number;
  changes: readonly OutboxEntry[];
  key: NewKey | null;
  kept: KeptBytes | null;
}

const Kept = z.strictObject({ bytes: z.number() });

/**
 * Ends a write by one statement: its entries, what they changed for the outbox of events, the kept answer, and what all
 * of this keeps. Returns how much the agents of the owner had kept on the day before.
 */
export async function insertAuditEntries(
  tx: Tx,
  entries: readonly AuditEntry[],
  { atMs, changes, key, kept }: Ending,
): Promise<number> {
  const counted = kept && countKept(kept);
  const audit = sql.fragment`
    INSERT INTO audit_log (at, actor_kind, actor_id, token_id, action, subject_kind, subject_id, agent_id,
      request_id, detail)
    VALUES ${sql.join(entries.map(toValues), sql.fragment`, `)}`;
  const parts = [
    ...(key === null ? [] : [insertKey(key)]),
    audit,
    ...(changes.length === 0 ? [] : [insertIntoOutbox(changes, atMs)]),
    ...(counted === null ? [] : [counted.insert]),
  ].map((part, n) => sql.fragment`${sql.identifier([`part_${n}`])} AS (${part})`);
  const before = counted?.before ?? sql.fragment`0`;
  return await tx.oneFirst(
    sql.type(Kept)`WITH ${sql.join(parts, sql.fragment`, `)} SELECT ${before} AS bytes`,
  );
}

function toValues(entry: AuditEntry) {
  return sql.fragment`(${at(entry.atMs)}, ${entry.actorKind}, ${entry.actorId}, ${entry.tokenId}, ${entry.action},
    ${entry.subjectKind}, ${entry.subjectId}, ${entry.agentId}, ${entry.requestId}, ${sql.jsonb(entry.detail)})`;
}

const AuditRow = z.strictObject({
  id: z.number(),
  at: Timestamp,
  actor_kind: ActorKind,
  action: z.string(),
  subject_kind: z.string(),
  subject_id: z.string(),
  agent_id: z.string().nullable(),
  handle: z.string().nullable(),
  request_id: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  /** Where its owner finds the subject: an agent, or a work of the agent that stands; null for a deleted draft. */
  room: z.enum(["agents", "works"]).nullable(),
});
export type AuditRow = z.infer<typeof AuditRow>;

/** The filter of a list of entries; null leaves a condition out. */
export interface AuditFilter {
  agentId: string | null;
  actorKind: AuditRow["actor_kind"] | null;
  /** The noun before the dot of an action: creation, token. */
  noun: string | null;
  fromMs: number | null;
  /** Exclusive. */
  toMs: number | null;
}

/** Entries about an owner's agents, codes and invitations, and by or about the owner, newest first; `beforeId` continues a list. */
export async function listAuditOfOwner(
  db: Db,
  ownerId: string,
  filter: AuditFilter,
  part: { beforeId: number | null; limit: number },
): Promise<readonly AuditRow[]> {
  const fits = writeConditions(filter, part.beforeId);
  const newest = sql.fragment`ORDER BY g.id DESC LIMIT ${part.limit}`;
  const agents =
    filter.agentId === null
      ? sql.fragment`a.owner_id = ${ownerId}`
      : sql.fragment`a.owner_id = ${ownerId} AND a.id = ${filter.agentId}`;
  const own =
    filter.agentId === null
      ? sql.fragment`
        UNION (SELECT g.id FROM audit_log g
          WHERE g.actor_kind = 'owner' AND g.actor_id = ${ownerId} AND ${fits} ${newest})
        UNION (SELECT g.id FROM audit_log g
          WHERE g.subject_id = ${ownerId} AND g.subject_kind = 'owner' AND ${fits} ${newest})
        UNION (SELECT f.id FROM (${belongingsOf(ownerId)}) b CROSS JOIN LATERAL (
          SELECT g.id FROM audit_log g WHERE g.subject_id = b.id AND ${fits} ${newest}) f)`
      : sql.fragment``;
  // Each part walks its own index from the newest entry; one condition with OR would walk the whole log.
  return await db.any(sql.type(AuditRow)`
    WITH found AS (
      SELECT f.id FROM agents a CROSS JOIN LATERAL (
        SELECT g.id FROM audit_log g WHERE g.agent_id = a.id AND ${fits} ${newest}) f
      WHERE ${agents} ${own}
    )
    SELECT g.id, g.at, g.actor_kind, g.action, g.subject_kind, g.subject_id, g.agent_id, a.handle, g.request_id,
      g.detail, CASE WHEN g.subject_id = g.agent_id THEN 'agents'
        WHEN EXISTS (SELECT FROM creations c WHERE c.id = g.subject_id AND c.agent_id = g.agent_id) THEN 'works' END AS room
    FROM audit_log g LEFT JOIN agents a ON a.id = g.agent_id
    WHERE g.id IN (SELECT id FROM found) ${newest}`);
}

/** The ids of an owner's codes and invitations, on which others act while no agent has to do with them. */
export function belongingsOf(ownerId: string) {
  return sql.fragment`SELECT id FROM enrollments WHERE owner_id = ${ownerId}
    UNION ALL SELECT id FROM invitations WHERE owner_id = ${ownerId}`;
}

function writeConditions({ actorKind, noun, fromMs, toMs }: AuditFilter, beforeId: number | null) {
  return sql.fragment`(${actorKind}::text IS NULL OR g.actor_kind = ${actorKind})
    AND (${noun}::text IS NULL OR split_part(g.action, '.', 1) = ${noun})
    AND ${fromMs === null ? sql.fragment`true` : sql.fragment`g.at >= ${at(fromMs)}`}
    AND ${toMs === null ? sql.fragment`true` : sql.fragment`g.at < ${at(toMs)}`}
    AND ${beforeId === null ? sql.fragment`true` : sql.fragment`g.id < ${beforeId}`}`;
}

const DecisionRow = z.strictObject({
  at: Timestamp,
  actor_kind: z.enum(["moderator", "command"]),
  action: z.string(),
  reason: z.string().nullable(),
});

/** These actions of moderators and operators on any of these subjects, newest first. */
export async function listDecisions(
  db: Db,
  of: { subjectIds: readonly string[]; actions: readonly string[]; limit: number },
) {
  return await db.any(sql.type(DecisionRow)`
    SELECT at, actor_kind, action, detail ->> 'reason' AS reason FROM audit_log
    WHERE subject_id = ANY(${texts(of.subjectIds)}) AND actor_kind IN ('moderator', 'command')
      AND action = ANY(${texts(of.actions)})
    ORDER BY id DESC LIMIT ${of.limit}`);
}
