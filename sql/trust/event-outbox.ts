import { z } from "zod";
import { at, command, sql, type Tx, texts } from "../connection/pool.ts";
import { agentIsOpen, creationIsOpen } from "../reading/open-to-readers.ts";

/** Who did what an event tells of. */
export type EventActor = "agent" | "owner" | "moderator" | "operator" | "schedule" | "service";

const States = z.array(z.strictObject({ n: z.number(), state: z.string() }));
export const EventFact = z.union([z.string(), z.number(), z.boolean(), z.null(), States]);
/** A member of what an event tells: ids, numbers and codes only. */
export type EventFact = z.infer<typeof EventFact>;

/** What an act changed, as the outbox of events keeps it: ids, numbers and codes only. */
export interface OutboxEntry {
  /** `own` is told to its agent as an event of `type`; what is told of a creation follows from its facts. */
  kind: "creation" | "own";
  type: string | null;
  by: EventActor;
  agentId: string;
  creationId: string | null;
  /** The live revisions before and after. */
  liveBefore: string | null;
  liveAfter: string | null;
  /** The live revisions before and after of a public work: the references of the two are compared. */
  namesBefore: string | null;
  namesAfter: string | null;
  facts: Record<string, EventFact>;
}

/** The statement that adds entries to the outbox, in their order. */
export function insertIntoOutbox(entries: readonly OutboxEntry[], atMs: number) {
  const rows = entries.map((entry) => [
    entry.kind,
    entry.type,
    entry.by,
    entry.agentId,
    entry.creationId,
    entry.liveBefore,
    entry.liveAfter,
    entry.namesBefore,
    entry.namesAfter,
    JSON.stringify(entry.facts),
  ]);
  return sql.fragment`
    INSERT INTO event_outbox (at, kind, type, by, agent_id, creation_id, live_before, live_after, agent_open, named,
      facts)
    SELECT ${at(atMs)}, x.kind, x.type, x.by, x.agent_id, x.creation_id, x.live_before, x.live_after,
      EXISTS (SELECT 1 FROM agents a JOIN owners o ON o.id = a.owner_id WHERE a.id = x.agent_id AND ${agentIsOpen}),
      (SELECT jsonb_agg(jsonb_build_array(target_id, relation, names) ORDER BY names, target_id, relation) FROM (
        SELECT target_id, relation, bool_or(f.revision_id = x.names_after) IS TRUE AS names
        FROM revision_references f WHERE f.revision_id IN (x.names_before, x.names_after)
        GROUP BY target_id, relation HAVING count(DISTINCT f.revision_id) = 1) f
        WHERE x.names_before IS DISTINCT FROM x.names_after),
      x.facts::jsonb
    FROM ${sql.unnest(rows, Array(10).fill("text"))} WITH ORDINALITY
      AS x (kind, type, by, agent_id, creation_id, live_before, live_after, names_before, names_after, facts, n)
    ORDER BY n`;
}

/**
 * Adds the works of these agents that readers can open to the outbox, as closed by what the caller does next in this
 * transaction, which locks the agents: each agent that names one is told.
 */
export async function insertClosings(tx: Tx, agentIds: readonly string[], nowMs: number): Promise<void> {
  await tx.query(command`
    INSERT INTO event_outbox (at, kind, agent_id, creation_id, live_before, live_after, agent_open, facts)
    SELECT ${at(nowMs)}, 'closing', c.agent_id, c.id, c.live_revision_id, c.live_revision_id, true, '{}'
    FROM creations c JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
    WHERE c.agent_id = ANY(${texts(agentIds)}) AND ${creationIsOpen}
      AND EXISTS (SELECT 1 FROM revision_references f WHERE f.target_id = c.id)
    ORDER BY c.id`);
}

/** Adds the published works of these agents to the outbox, as taken off the site by what the caller does next. */
export async function insertUnpublishings(
  tx: Tx,
  agentIds: readonly string[],
  { by, nowMs }: { by: EventActor; nowMs: number },
): Promise<void> {
  await tx.query(command`
    INSERT INTO event_outbox (at, kind, by, agent_id, creation_id, live_before, agent_open, named, facts)
    SELECT ${at(nowMs)}, 'creation', ${by}, c.agent_id, c.id, c.live_revision_id, ${agentIsOpen},
      (SELECT jsonb_agg(jsonb_build_array(target_id, relation, false) ORDER BY target_id, relation) FROM (
        SELECT DISTINCT target_id, relation FROM revision_references f
        WHERE f.revision_id = c.live_revision_id AND c.visibility = 'public') f),
      jsonb_build_object('is_first', false, 'latest_number', c.latest_revision_number,
        'visibility_before', c.visibility, 'visibility_after', 'private',
        'hidden_before', c.hidden_at IS NOT NULL, 'hidden_after', c.hidden_at IS NOT NULL,
        'retracted_before', c.retracted_at IS NOT NULL, 'retracted_after', c.retracted_at IS NOT NULL)
    FROM creations c JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
    WHERE c.agent_id = ANY(${texts(agentIds)}) AND c.visibility <> 'private' ORDER BY c.id`);
}

/** The event of schedules that just ended, as a statement that reads the rows of `ended`. */
export function insertEndedSchedules(nowMs: number) {
  return sql.fragment`
    INSERT INTO event_outbox (at, kind, type, agent_id, creation_id, facts)
    SELECT ${at(nowMs)}, 'own', 'schedule.' || s.status, c.agent_id, c.id,
      jsonb_build_object('schedule_id', s.id, 'outcome_code', s.outcome_code)
    FROM ended s JOIN creations c ON c.id = s.creation_id`;
}

/** The event of files that were just inspected, as a statement that reads the rows of `settled`; only of awaited ones. */
export function insertSettledAssets(nowMs: number) {
  return sql.fragment`
    INSERT INTO event_outbox (at, kind, type, agent_id, facts)
    SELECT ${at(nowMs)}, 'own', 'asset.' || s.readiness, s.agent_id, jsonb_build_object('asset_id', s.id)
    FROM settled s WHERE s.answered_processing`;
}
