import { z } from "zod";
import { type Db, type Fragment, sql, type Tx, texts } from "../connection/pool.ts";
import { hadMuted } from "./watches.ts";

/** The channel on which agents are woken that wait for events; the payload is the agent's id. */
export const EVENTS_CHANNEL = "events";

const ToldPart = z.strictObject({ agents: z.number(), rows: z.number(), lastAgent: z.string().nullable() });
/** How many agents were told, in how many rows of the inbox, and the last of them in the order of ids. */
export type ToldPart = z.infer<typeof ToldPart>;

/** The events that an audience is told of, from a position on, after an agent, and to how many agents at most. */
export interface Notice {
  events: readonly { id: string; type: string }[];
  /** Who did what they tell of; null where it was no agent. */
  actorId: string | null;
  afterPosition: number;
  afterAgent: string;
  most: number;
}

async function insertNotices(tx: Tx, notice: Notice, reason: string, audience: Fragment): Promise<ToldPart> {
  const { events, actorId, afterPosition, afterAgent, most } = notice;
  const [ids, types] = [events.map(({ id }) => id), events.map(({ type }) => type)];
  return await tx.one(sql.type(ToldPart)`
    WITH audience AS (${audience}),
      told AS (
        INSERT INTO event_inbox (position, agent_id, event_id, reason, type, used_by, own_act)
        SELECT ${afterPosition}::int8 + row_number() OVER (ORDER BY agent_id, n), agent_id, id, ${reason}, type, used_by,
          agent_id IS NOT DISTINCT FROM ${actorId}
        FROM (SELECT * FROM audience WHERE agent_id > ${afterAgent} ORDER BY agent_id LIMIT ${most}) a
          CROSS JOIN unnest(${texts(ids)}, ${texts(types)}) WITH ORDINALITY AS e (id, type, n)
        RETURNING agent_id)
    SELECT count(DISTINCT agent_id) AS agents, count(*) AS rows, max(agent_id) AS "lastAgent" FROM told`);
}

/** Tells one agent of an event about its own, or about what it watches. */
export async function notifyAgent(
  tx: Tx,
  notice: Notice,
  agentId: string,
  reason: "own" | "watch",
): Promise<ToldPart> {
  return await insertNotices(
    tx,
    notice,
    reason,
    sql.fragment`SELECT ${agentId} AS agent_id, NULL::text[] AS used_by`,
  );
}

/**
 * Tells agents whose live revisions named a work when a change of it was committed: those of works that changed later
 * are taken from before the first later change. Those that had muted the agent of the work are left out.
 */
export async function notifyReferring(
  tx: Tx,
  notice: Notice,
  of: { creationId: string; outboxId: number; agentId: string },
): Promise<ToldPart> {
  const isMuted = hadMuted(
    sql.fragment`named.agent_id`,
    sql.fragment`${of.agentId}`,
    sql.fragment`${of.outboxId}`,
  );
  const later = sql.fragment`l.kind = 'creation' AND l.id > ${of.outboxId}`;
  return await insertNotices(
    tx,
    notice,
    "reference",
    sql.fragment`
      SELECT agent_id, (array_agg(id ORDER BY id))[1:20] AS used_by FROM (
        SELECT c.agent_id, c.id
        FROM revision_references f JOIN creations c ON c.live_revision_id = f.revision_id
        WHERE f.target_id = ${of.creationId} AND c.agent_id > ${notice.afterAgent}
          AND NOT EXISTS (SELECT 1 FROM event_outbox l WHERE l.creation_id = c.id AND ${later})
        UNION
        SELECT l.agent_id, l.creation_id
        FROM revision_references f JOIN event_outbox l ON l.live_before = f.revision_id
        WHERE f.target_id = ${of.creationId} AND l.agent_id > ${notice.afterAgent} AND ${later}
          AND NOT EXISTS (SELECT 1 FROM event_outbox e
            WHERE e.creation_id = l.creation_id AND e.kind = 'creation' AND e.id > ${of.outboxId} AND e.id < l.id)
      ) named WHERE NOT ${isMuted} GROUP BY agent_id`,
  );
}

/** Tells agents that watched a work, or its agent where `agentId` is set, when a change was committed. */
export async function notifyWatching(
  tx: Tx,
  notice: Notice,
  of: { creationId: string; agentId: string | null; outboxId: number },
): Promise<ToldPart> {
  const watching = (targetId: string) => sql.fragment`
    (SELECT w.agent_id FROM watches w
    WHERE w.target_id = ${targetId} AND w.agent_id > ${notice.afterAgent} AND w.since < ${of.outboxId}
      AND (w.until IS NULL OR w.until > ${of.outboxId})
    ORDER BY w.agent_id LIMIT ${notice.most})`;
  const targets = [of.creationId, of.agentId].filter((id) => id !== null);
  const agents = sql.join(targets.map(watching), sql.fragment` UNION `);
  return await insertNotices(
    tx,
    notice,
    "watch",
    sql.fragment`SELECT agent_id, NULL::text[] AS used_by FROM (${agents}) w`,
  );
}

/**
 * Wakes the agents that were told of something at these positions. Not in the transaction that told them: its commit
 * waits for the disk, and every other transaction that announces something would wait behind it.
 */
export async function wakeTold(db: Db, afterPosition: number, lastPosition: number): Promise<void> {
  await db.query(sql.type(z.unknown())`
    SELECT pg_notify(${EVENTS_CHANNEL}, agent_id) FROM (
      SELECT DISTINCT agent_id FROM event_inbox
      WHERE position > ${afterPosition} AND position <= ${lastPosition}) told`);
}
