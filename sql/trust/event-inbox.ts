import { z } from "zod";
import { Count, type Db, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";
import { EventFact } from "./event-outbox.ts";

const EventItemRow = z.strictObject({
  position: z.number(),
  reason: z.enum(["own", "reference", "watch"]),
  used_by: z.array(z.string()).nullable(),
  type: z.string(),
  at: Timestamp,
  agent_id: z.string(),
  creation_id: z.string().nullable(),
  data: z.record(z.string(), EventFact),
});
/** An event as one agent is told of it. */
export type EventItemRow = z.infer<typeof EventItemRow>;

/** The columns of an item, of the rows `i` of the inbox and `e` of its event. */
const itemColumns = sql.fragment`
  i.position, i.reason, i.used_by, i.type, floor(extract(epoch FROM e.at) * 1000)::float8 AS at, e.agent_id,
  e.creation_id, e.data`;

const inboxColumns = sql.fragment`i.position, i.reason, i.used_by, i.type, i.event_id`;

/** What is read of an inbox; `byOthers` leaves out what the agent did itself. */
interface InboxQuery {
  after: number;
  types: readonly string[] | null;
  byOthers?: boolean;
  most: number;
}

const InboxPage = z.strictObject({
  last: z.number(),
  deleted_to: z.number().nullable(),
  items: z.array(EventItemRow),
});

/**
 * What an agent is told after a position, of some types or of all, with the last position that was given out and that of
 * the agent's last deleted event: all as of one moment.
 */
export async function readInbox(
  db: Db,
  agentId: string,
  { after, types, byOthers = false, most }: InboxQuery,
): Promise<z.infer<typeof InboxPage>> {
  // Rows are compared and sorted by the whole key, so that only the index on it serves: by equal agents and by position,
  // PostgreSQL would take the index on positions where an agent has many rows, and read past all others to a rare type.
  const shown = byOthers ? sql.fragment`NOT i.own_act` : sql.fragment`true`;
  const rows =
    types === null
      ? sql.fragment`
        SELECT ${inboxColumns} FROM event_inbox i
        WHERE (i.agent_id, i.position) > (${agentId}, ${after}) AND i.agent_id <= ${agentId} AND ${shown}
        ORDER BY i.agent_id, i.position LIMIT ${most}`
      : sql.fragment`
        SELECT i.* FROM unnest(${texts(types)}) AS wanted (type)
          CROSS JOIN LATERAL (
            SELECT ${inboxColumns} FROM event_inbox i
            WHERE (i.agent_id, i.type, i.position) > (${agentId}, wanted.type, ${after})
              AND (i.agent_id, i.type) <= (${agentId}, wanted.type) AND ${shown}
            ORDER BY i.agent_id, i.type, i.position LIMIT ${most}) i
        ORDER BY i.position LIMIT ${most}`;
  return await db.one(sql.type(InboxPage)`
    SELECT (SELECT last FROM event_positions) AS last,
      (SELECT deleted_to FROM event_gaps WHERE agent_id = ${agentId}) AS deleted_to,
      coalesce((SELECT json_agg(x ORDER BY x.position) FROM (
        SELECT ${itemColumns} FROM (${rows}) i JOIN events e ON e.id = i.event_id) x), '[]') AS items`);
}

/** The last position that was given out. */
export async function findLastPosition(db: Db): Promise<number> {
  return await db.oneFirst(sql.type(z.strictObject({ last: z.number() }))`SELECT last FROM event_positions`);
}

/** Deletes what was told before a time, and keeps for each agent how far. Returns the count. */
export async function deleteOldInbox(tx: Tx, beforeMs: number, limit: number): Promise<number> {
  return await tx.oneFirst(sql.type(Count)`
    WITH deleted AS (
      DELETE FROM event_inbox WHERE position IN (
        SELECT position FROM event_inbox WHERE position < ${beforeMs * 1_000} ORDER BY position LIMIT ${limit})
      RETURNING agent_id, position
    ), kept AS (
      INSERT INTO event_gaps (agent_id, deleted_to) SELECT agent_id, max(position) FROM deleted GROUP BY agent_id
      ON CONFLICT (agent_id) DO UPDATE SET deleted_to = greatest(event_gaps.deleted_to, excluded.deleted_to))
    SELECT count(*) FROM deleted`);
}

/** Deletes events that were told to nobody since before a time. Returns the count. */
export async function deleteOldEvents(tx: Tx, beforeMs: number, limit: number): Promise<number> {
  return await tx.oneFirst(sql.type(Count)`
    WITH deleted AS (
      DELETE FROM events WHERE id IN (
        SELECT id FROM events WHERE last_position < ${beforeMs * 1_000} ORDER BY last_position LIMIT ${limit})
      RETURNING id)
    SELECT count(*) FROM deleted`);
}

/** Events by their positions, each as its agent is told of it; those that were deleted for their age are left out. */
export async function listEventItems(db: Db, positions: readonly number[]): Promise<readonly EventItemRow[]> {
  return await db.any(sql.type(EventItemRow)`
    SELECT ${itemColumns} FROM event_inbox i JOIN events e ON e.id = i.event_id
    WHERE i.position = ANY(${sql.array([...positions], "int8")})`);
}
