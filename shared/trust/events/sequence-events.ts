import type { Tx } from "../../../sql/connection/pool.ts";
import {
  type Notice,
  notifyAgent,
  notifyReferring,
  notifyWatching,
  type ToldPart,
  wakeTold,
} from "../../../sql/trust/event-notices.ts";
import {
  deleteTold,
  findRevisionFacts,
  holdLastPosition,
  insertEvent,
  listAgentsOfWorks,
  listNamedOfDay,
  type OutboxRow,
  type Progress,
  saveLastPosition,
  saveLastTold,
  saveTold,
} from "../../../sql/trust/event-sequencing.ts";
import type { Deps } from "../../platform/deps.ts";
import { runSequencer } from "../../platform/outbox/run-sequencer.ts";
import { addDeliveries } from "./add-deliveries.ts";
import { chooseUntold, describeChange, type Told, type ToldEvent } from "./describe-change.ts";

/** How many changes a transaction takes, and how many agents it tells of large ones. */
export interface PartSizes {
  changes: number;
  agents: number;
}

const SIZES: PartSizes = { changes: 100, agents: 5_000 };

/** The rows of the inbox that a transaction adds: those after the one position, up to the other. */
interface SequencedPart {
  afterPosition: number;
  lastPosition: number;
}

/**
 * Works off the outbox: tells every agent concerned of each committed change, in one order. A change that concerns many
 * is told in parts, between those of others. Returns how many parts were told.
 */
export async function sequenceEvents(deps: Deps, sizes: PartSizes = SIZES): Promise<number> {
  let told: SequencedPart | null = null;
  return await runSequencer(deps, {
    name: "events",
    async step(tx) {
      const { count, part } = await notifyNext(tx, deps, sizes);
      told = part;
      return count;
    },
    async afterStep() {
      if (told !== null) await wakeTold(deps.pool, told.afterPosition, told.lastPosition);
    },
  });
}

async function notifyNext(
  tx: Tx,
  deps: Deps,
  sizes: PartSizes,
): Promise<{ count: number; part: SequencedPart | null }> {
  const rows = await chooseUntold(tx, sizes.changes);
  if (rows.length === 0) return { count: 0, part: null };
  const last = await holdLastPosition(tx);
  // After the time, positions go on where a backup was restored: readers may have seen later ones than it has.
  const afterPosition = Math.max(last, deps.now() * 1_000);
  const round = { tx, deps, position: afterPosition, budget: sizes.agents };
  for (const row of rows) await notifyOfRow(round, row);
  const part = round.position > afterPosition ? { afterPosition, lastPosition: round.position } : null;
  if (part !== null) {
    await saveLastPosition(tx, part.lastPosition);
    await addDeliveries(tx, part);
  }
  await deleteTold(tx);
  return { count: rows.length, part };
}

/** What the steps of one transaction share. */
interface Round {
  tx: Tx;
  deps: Deps;
  /** The last position that was given out. */
  position: number;
  /** How many agents may be told yet. */
  budget: number;
}

async function notifyOfRow(round: Round, row: OutboxRow): Promise<void> {
  const facts = row.kind === "creation" ? await findRevisionFacts(round.tx, row) : null;
  const told = describeChange(row, facts);
  const isNew = row.part === "new";
  const eventId = isNew ? await notifyFirst(round, row, told) : row.event_id;
  const correctedEventId = isNew ? await addCorrected(round, row, told) : row.corrected_event_id;
  const progress: Progress = {
    part: row.part === "new" ? "references" : row.part,
    toldTo: row.told_to,
    told: row.told,
    eventId,
    referenceEventId: row.reference_event_id,
    correctedEventId,
  };
  if (progress.part === "references") await notifyOfReferences(round, row, told, progress);
  if (progress.part === "watches") await notifyOfWatches(round, row, told, progress);
  await saveTold(round.tx, row.id, progress);
  if (progress.part === "done") await saveLastTold(round.tx, row.id, round.position);
}

/** Tells the agent itself, and the agents of works that are named since or no longer; returns the id of its own event. */
async function notifyFirst(round: Round, row: OutboxRow, { own }: Told): Promise<string | null> {
  const about = { agentId: row.agent_id, creationId: row.creation_id };
  const eventId = own === null ? null : await notifyOfNew(round, row, own, about);
  const named = row.named ?? [];
  if (named.length === 0) return eventId;
  const agents = await listAgentsOfWorks(
    round.tx,
    named.map(([target]) => target),
    row,
  );
  const told = new Set(
    (await listNamedOfDay(round.tx, row)).map((one) => `${one.relation} ${one.creation_id}`),
  );
  for (const [creationId, relation, isNamed] of named) {
    const agentId = agents.get(creationId);
    // A draft may have been deleted since, or its agent may have muted this one.
    if (agentId === undefined || told.has(`${relation} ${creationId}`)) continue;
    const type = isNamed ? "reference.added" : "reference.removed";
    const data = { from_creation_id: row.creation_id, from_agent_id: row.agent_id, relation };
    await notifyOfNew(round, row, { type, data }, { agentId, creationId });
  }
  return eventId;
}

/** Adds the event of a correction, of which others than its agent are told; returns its id. */
async function addCorrected(round: Round, row: OutboxRow, { corrected }: Told): Promise<string | null> {
  if (corrected === null) return null;
  const id = round.deps.newId();
  const about = { agentId: row.agent_id, creationId: row.creation_id };
  await insertEvent(round.tx, { id, outboxId: row.id, ...corrected, atMs: row.at, ...about });
  return id;
}

/** Adds an event and tells the agent whose own it is about, or who watches what it is about. */
async function notifyOfNew(
  round: Round,
  row: OutboxRow,
  { authorId, ...told }: ToldEvent,
  { agentId, creationId }: { agentId: string; creationId: string | null },
): Promise<string> {
  const id = round.deps.newId();
  const about = { agentId: authorId ?? agentId, creationId };
  await insertEvent(round.tx, { id, outboxId: row.id, ...told, atMs: row.at, ...about });
  const limits = { afterPosition: round.position, afterAgent: "", most: 1 };
  const notice = { events: [{ id, type: told.type }], actorId: actorOf(row), ...limits };
  const reason = authorId === undefined ? "own" : "watch";
  round.position += (await notifyAgent(round.tx, notice, agentId, reason)).rows;
  return id;
}

async function notifyOfReferences(
  round: Round,
  row: OutboxRow,
  told: Told,
  progress: Progress,
): Promise<void> {
  const { reference } = told;
  const { creation_id: creationId } = row;
  if (reference === null || creationId === null) return moveOn(progress, "watches");
  if (round.budget === 0) return;
  const id = progress.referenceEventId ?? round.deps.newId();
  const notice = toNotice(round, row, told, progress, { id, type: reference.type });
  const part = await notifyReferring(round.tx, notice, {
    creationId,
    outboxId: row.id,
    agentId: row.agent_id,
  });
  if (part.rows > 0 && progress.referenceEventId === null) {
    const about = { agentId: row.agent_id, creationId };
    await insertEvent(round.tx, { id, outboxId: row.id, ...reference, atMs: row.at, ...about });
    progress.referenceEventId = id;
  }
  countTold(round, progress, part, "watches");
}

async function notifyOfWatches(round: Round, row: OutboxRow, told: Told, progress: Progress): Promise<void> {
  const { creation_id: creationId } = row;
  const { own, watchedBy } = told;
  const { eventId } = progress;
  if (own === null || eventId === null || creationId === null || watchedBy === "nobody")
    return moveOn(progress, "done");
  if (round.budget === 0) return;
  const notice = toNotice(round, row, told, progress, { id: eventId, type: own.type });
  const agentId = watchedBy === "all" ? row.agent_id : null;
  const part = await notifyWatching(round.tx, notice, { creationId, agentId, outboxId: row.id });
  countTold(round, progress, part, "done");
}

/** What many are told of a change: its event for them, and that of a correction beside it. */
function toNotice(
  { position, budget }: Round,
  row: OutboxRow,
  { corrected }: Told,
  { toldTo, correctedEventId }: Progress,
  event: Notice["events"][number],
): Notice {
  const isCorrected = corrected !== null && correctedEventId !== null;
  const events = isCorrected ? [event, { id: correctedEventId, type: corrected.type }] : [event];
  return { events, actorId: actorOf(row), afterPosition: position, afterAgent: toldTo, most: budget };
}

/** The agent that did what a change tells of; null where somebody else did. */
function actorOf({ by, agent_id }: OutboxRow): string | null {
  return by === "agent" ? agent_id : null;
}

/** A part that filled the budget may have been the last: the next one then finds nobody. */
function countTold(round: Round, progress: Progress, part: ToldPart, next: "watches" | "done"): void {
  const { agents: count, rows, lastAgent } = part;
  const isFull = count === round.budget;
  round.position += rows;
  round.budget -= count;
  progress.told += count;
  if (isFull) progress.toldTo = lastAgent ?? progress.toldTo;
  else moveOn(progress, next);
}

function moveOn(progress: Progress, part: "watches" | "done"): void {
  progress.part = part;
  progress.toldTo = "";
}
