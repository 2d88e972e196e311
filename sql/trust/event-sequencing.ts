import { z } from "zod";
import { at, command, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";
import { EventFact } from "./event-outbox.ts";
import { hadMuted } from "./watches.ts";

const CreationFacts = z.strictObject({
  is_first: z.boolean(),
  latest_number: z.number(),
  visibility_before: z.enum(["private", "unlisted", "public"]),
  visibility_after: z.enum(["private", "unlisted", "public"]),
  hidden_before: z.boolean(),
  hidden_after: z.boolean(),
  retracted_before: z.boolean(),
  retracted_after: z.boolean(),
});

const common = {
  id: z.number(),
  at: Timestamp,
  agent_id: z.string(),
  live_before: z.string().nullable(),
  live_after: z.string().nullable(),
  agent_open: z.boolean(),
  named: z.array(z.tuple([z.string(), z.string(), z.boolean()])).nullable(),
  event_id: z.string().nullable(),
  reference_event_id: z.string().nullable(),
  corrected_event_id: z.string().nullable(),
  part: z.enum(["new", "references", "watches"]),
  told_to: z.string(),
  told: z.number(),
};
const By = z.enum(["agent", "owner", "moderator", "operator", "schedule", "service"]);
const OutboxRow = z.discriminatedUnion("kind", [
  z.strictObject({
    ...common,
    kind: z.literal("creation"),
    type: z.null(),
    by: By,
    creation_id: z.string(),
    facts: CreationFacts,
  }),
  z.strictObject({
    ...common,
    kind: z.literal("closing"),
    type: z.null(),
    by: z.null(),
    creation_id: z.string(),
    facts: z.strictObject({}),
  }),
  z.strictObject({
    ...common,
    kind: z.literal("own"),
    type: z.string(),
    by: By.nullable(),
    creation_id: z.string().nullable(),
    facts: z.record(z.string(), EventFact),
  }),
]);
/** A change in the outbox, and how far it was told. */
export type OutboxRow = z.infer<typeof OutboxRow>;
export type CreationChangeRow = Extract<OutboxRow, { kind: "creation" }>;

/** Up to `most` changes behind an id that were not told to all, in the order of the outbox. */
export async function listUntold(tx: Tx, afterId: number, most: number): Promise<readonly OutboxRow[]> {
  return await tx.any(sql.type(OutboxRow)`
    SELECT id, at, kind, type, by, agent_id, creation_id, live_before, live_after, agent_open, named, facts, event_id,
      reference_event_id, corrected_event_id, part, told_to, told
    FROM event_outbox WHERE part <> 'done' AND id > ${afterId} ORDER BY id LIMIT ${most}`);
}

/** The last position that was given out; held until the transaction ends. */
export async function holdLastPosition(tx: Tx): Promise<number> {
  return await tx.oneFirst(sql.type(z.strictObject({ last: z.number() }))`
    SELECT last FROM event_positions FOR UPDATE`);
}

export async function saveLastPosition(tx: Tx, last: number): Promise<void> {
  await tx.query(command`UPDATE event_positions SET last = ${last}`);
}

const RevisionFacts = z.strictObject({
  before_number: z.number().nullable(),
  after_number: z.number().nullable(),
  after_minor: z.boolean().nullable(),
  after_correction: z.boolean().nullable(),
  before_minor: z.boolean().nullable(),
});
export type RevisionFacts = z.infer<typeof RevisionFacts>;

/** The numbers of the live revisions before and after a change; before a publication, of the one published before it. */
export async function findRevisionFacts(tx: Tx, { creation_id, live_before, live_after }: CreationChangeRow) {
  return await tx.one(sql.type(RevisionFacts)`
    SELECT coalesce(b.revision_number, (SELECT max(p.revision_number) FROM creation_revisions p
        WHERE p.creation_id = ${creation_id} AND p.state = 'published' AND p.revision_number < a.revision_number)
      ) AS before_number, a.revision_number AS after_number, a.minor AS after_minor,
      a.correction AS after_correction, b.minor AS before_minor
    FROM (SELECT 1) one LEFT JOIN creation_revisions b ON b.id = ${live_before}
      LEFT JOIN creation_revisions a ON a.id = ${live_after}`);
}

/** Who has these works, by their ids, but for agents that had muted the agent of a change. */
export async function listAgentsOfWorks(
  tx: Tx,
  ids: readonly string[],
  { agent_id: by, id: outboxId }: OutboxRow,
): Promise<ReadonlyMap<string, string>> {
  const isMuted = hadMuted(sql.fragment`c.agent_id`, sql.fragment`${by}`, sql.fragment`${outboxId}`);
  const rows = await tx.any(sql.type(z.strictObject({ id: z.string(), agent_id: z.string() }))`
    SELECT c.id, c.agent_id FROM creations c WHERE c.id = ANY(${texts(ids)}) AND NOT ${isMuted}`);
  return new Map(rows.map(({ id, agent_id }) => [id, agent_id]));
}

const DAY_MS = 86_400_000;

/** What was told on the UTC day of a change of what its work names: the works named, each with the relation. */
export async function listNamedOfDay(tx: Tx, { creation_id, at: atMs }: OutboxRow) {
  const dayMs = atMs - (atMs % DAY_MS);
  return await tx.any(sql.type(z.strictObject({ creation_id: z.string(), relation: z.string() }))`
    SELECT creation_id, data ->> 'relation' AS relation FROM events
    WHERE type IN ('reference.added', 'reference.removed') AND data ->> 'from_creation_id' = ${creation_id}
      AND at >= ${at(dayMs)} AND at < ${at(dayMs + DAY_MS)}`);
}

/** An event before it is told. */
export interface NewEvent {
  id: string;
  outboxId: number;
  type: string;
  atMs: number;
  agentId: string;
  creationId: string | null;
  data: Record<string, EventFact>;
}

/** Adds an event; agents are told of it by rows of the inbox. */
export async function insertEvent(tx: Tx, event: NewEvent): Promise<void> {
  await tx.query(command`
    INSERT INTO events (id, outbox_id, type, at, agent_id, creation_id, data)
    VALUES (${event.id}, ${event.outboxId}, ${event.type}, ${at(event.atMs)}, ${event.agentId}, ${event.creationId},
      ${sql.jsonb(event.data)})`);
}

/** How far a change was told, while it is being told. */
export interface Progress {
  part: "references" | "watches" | "done";
  toldTo: string;
  told: number;
  eventId: string | null;
  referenceEventId: string | null;
  correctedEventId: string | null;
}

/** Saves how far a change was told. */
export async function saveTold(tx: Tx, outboxId: number, to: Progress): Promise<void> {
  await tx.query(command`
    UPDATE event_outbox SET part = ${to.part}, told_to = ${to.toldTo}, told = ${to.told}, event_id = ${to.eventId},
      reference_event_id = ${to.referenceEventId}, corrected_event_id = ${to.correctedEventId}
    WHERE id = ${outboxId}`);
}

/** Saves where events of a change that was told to all were told last. */
export async function saveLastTold(tx: Tx, outboxId: number, position: number): Promise<void> {
  await tx.query(command`
    UPDATE events SET last_position = ${position} WHERE outbox_id = ${outboxId}`);
}

/** Deletes changes that were told to all, and watches that had ended before, once no earlier change is being told. */
export async function deleteTold(tx: Tx): Promise<void> {
  const open = sql.fragment`coalesce((SELECT min(id) FROM event_outbox WHERE part <> 'done'), 9223372036854775807)`;
  await tx.query(command`DELETE FROM event_outbox WHERE part = 'done' AND id < ${open}`);
  for (const table of ["watches", "muted_agents"])
    await tx.query(command`
      DELETE FROM ${sql.identifier([table])} WHERE until IS NOT NULL AND until < ${open}`);
}
