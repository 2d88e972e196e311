import type { Tx } from "../../../sql/connection/pool.ts";
import { type AuditEntry, insertAuditEntries } from "../../../sql/identity/audit-log.ts";
import { MOST_KEPT_BYTES, type NewKey } from "../../../sql/identity/idempotency-keys.ts";
import type { EventActor, OutboxEntry } from "../../../sql/trust/event-outbox.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import { Refusal } from "../../ground/errors.ts";
import { KEPT_BYTES_PER_DAY, toMegabytes } from "../../ground/limits.ts";
import { nextUtcMidnight, toUtcDay } from "../../ground/times.ts";

/** Who acts: an agent by a token, a person in the console, or an operator's command. */
export type Actor = Pick<AuditEntry, "actorKind" | "actorId" | "tokenId" | "requestId">;

/** An act and its subject. */
export type Act = Pick<AuditEntry, "action" | "subjectKind" | "subjectId" | "agentId"> & {
  detail?: AuditEntry["detail"];
  /** What it changed that agents are told of; an act of `TOLD` has to say it, if only that it changed nothing. */
  changes?: readonly Change[];
};

/** An act on a subject, which names no agent unless `more` does. */
export function makeAct(
  subjectKind: string,
  subjectId: string,
  action: string,
  more: Pick<Act, "detail" | "changes"> & { agentId?: string } = {},
): Act {
  return { action, subjectKind, subjectId, agentId: null, ...more };
}

/** Writes the audit entry of a write, and what agents are told of it, in its transaction. */
export async function recordAct(tx: Tx, actor: Actor, act: Act, atMs: number): Promise<void> {
  await recordActs(tx, actor, [act], { atMs, key: null });
}

/**
 * Writes the entries of the acts of one write, what agents are told of them, and the answer kept for its key. Throws
 * where the agents of the owner have kept as much as they may on this day, of any act but those of tokens.
 */
export async function recordActs(
  tx: Tx,
  actor: Actor,
  acts: readonly Act[],
  { atMs, key }: { atMs: number; key: NewKey | null },
): Promise<void> {
  const entries = acts.map(({ changes: _, detail = {}, ...named }) => ({ ...actor, ...named, detail, atMs }));
  const changes = acts.flatMap((act) => toTold(actor, act));
  const agentId = actor.actorKind === "agent" ? actor.actorId : null;
  const bytes = acts.length * ACT_BYTES + changes.length * CHANGE_BYTES + bytesOfKey(key);
  const kept = agentId === null ? null : { agentId, day: toUtcDay(atMs), bytes };
  const used = await insertAuditEntries(tx, entries, { atMs, changes, key, kept });
  if (acts.every(({ subjectKind }) => subjectKind === "token")) return;
  const refusal = findKeptLimit(used, atMs);
  if (refusal !== null) throw refusal;
}

/** The refusal of a write on a day on which its owner's agents have kept this much; null where there is room. */
export function findKeptLimit(used: number, atMs: number): Refusal | null {
  if (used < KEPT_BYTES_PER_DAY) return null;
  return new Refusal(
    "rate_limited",
    `Answers, records and events of what your owner's agents write: ${toMegabytes(used)} of ${toMegabytes(KEPT_BYTES_PER_DAY)} MB of today are used.`,
    {
      retryAfterSeconds: Math.ceil((nextUtcMidnight(atMs) - atMs) / 1000),
      hint: "The count starts anew at midnight UTC.",
    },
  );
}

// Chosen well above what rows and their indexes take: of an act its entry, its jobs and its lines in logs; of what it
// changed the event, its places in the inboxes of the owner's agents, and the deliveries to the owner's webhooks.
const ACT_BYTES = 2_000;
const CHANGE_BYTES = 6_000;

/** The bytes of a kept answer; an upload's comes later, and is as long as one may be. */
function bytesOfKey(key: NewKey | null): number {
  if (key === null) return 0;
  return key.answer === null ? MOST_KEPT_BYTES : Buffer.byteLength(key.answer.body);
}

function toTold(actor: Actor, { action, changes }: Act): OutboxEntry[] {
  if (changes === undefined && TOLD.has(action)) {
    throw new Error(`the act ${action} does not say what it changed, so nobody would be told`);
  }
  const by = action === "schedule.publish" ? "schedule" : byOf(actor);
  return (changes ?? []).flatMap((change) => toEntries(change, by));
}

/** An actor in the words of events. */
export function byOf({ actorKind }: Actor): EventActor {
  return BY[actorKind];
}

const BY = {
  agent: "agent",
  owner: "owner",
  moderator: "moderator",
  command: "operator",
  service: "service",
} as const;

/** The actor behind a command of the operators' command line. */
export const COMMAND_LINE: Actor = { actorKind: "command", actorId: null, tokenId: null, requestId: null };

/** The service itself, for work of the clock or a worker. */
export const SERVICE: Actor = { actorKind: "service", actorId: null, tokenId: null, requestId: null };

/** The actor behind a form of the console. */
export function ownerActor(ownerId: string, requestId: string | null): Actor {
  return { actorKind: "owner", actorId: ownerId, tokenId: null, requestId };
}

/** The actor behind a form of the console's moderation. */
export function moderatorActor(ownerId: string, requestId: string | null): Actor {
  return { actorKind: "moderator", actorId: ownerId, tokenId: null, requestId };
}

/** The detail of an act, with its reason where one was given. */
export function reasonDetail(reason: string | null): Record<string, string> {
  return reason === null ? {} : { reason };
}

/** The state of a creation, on which it depends who is told of an act. */
export type CreationState = Pick<
  CreationRow,
  | "id"
  | "agent_id"
  | "live_revision_id"
  | "latest_revision_number"
  | "visibility"
  | "hidden_at"
  | "first_published_at"
> & { retracted: unknown };

/** What an act changed that agents are told of. */
export type Change =
  | { of: "creation"; before: CreationState; after: CreationState }
  | { of: "content"; creation: Pick<CreationState, "id" | "agent_id">; revisionNumber: number }
  | { of: "agent"; agentId: string; type: "agent.paused" | "agent.resumed" }
  | {
      of: "token";
      agentId: string;
      type: "token.issued" | "token.revoked" | "token.leaked";
      prefix: string;
    };

/** The acts that say what they changed. */
export const TOLD: ReadonlySet<string> = new Set([
  ...[
    "creation.publish",
    "creation.restore",
    "creation.unpublish",
    "creation.visibility",
    "schedule.publish",
  ],
  ...["creation.hide", "creation.unhide", "creation.retract", "creation.reinstate", "creation.erase"],
  ...["revision.remove_content", "agent.pause", "agent.resume"],
  ...["enrollment.redeem", "token.rotate", "token.revoke", "token.leaked", "grant.end"],
]);

/** A change as the outbox keeps it; nothing where no agent is told of it. */
export function toEntries(change: Change, by: EventActor): OutboxEntry[] {
  if (change.of === "creation") return toCreationEntries(change.before, change.after, by);
  if (change.of === "content") {
    const { id, agent_id } = change.creation;
    const facts = { revision_number: change.revisionNumber, by };
    return [{ ...toOwn("content.removed", agent_id, by, facts), creationId: id }];
  }
  const prefix = change.of === "token" ? change.prefix : null;
  return [toOwn(change.type, change.agentId, by, { token_prefix: prefix, by })];
}

function toOwn(type: string, agentId: string, by: EventActor, facts: OutboxEntry["facts"]): OutboxEntry {
  const live = { liveBefore: null, liveAfter: null, namesBefore: null, namesAfter: null };
  return { kind: "own", type, by, agentId, creationId: null, ...live, facts };
}

function toCreationEntries(before: CreationState, after: CreationState, by: EventActor): OutboxEntry[] {
  const isSame =
    before.live_revision_id === after.live_revision_id &&
    before.visibility === after.visibility &&
    (before.hidden_at === null) === (after.hidden_at === null) &&
    (before.retracted === null) === (after.retracted === null);
  if (isSame) return [];
  return [
    {
      kind: "creation",
      type: null,
      by,
      agentId: after.agent_id,
      creationId: after.id,
      liveBefore: before.live_revision_id,
      liveAfter: after.live_revision_id,
      namesBefore: before.visibility === "public" ? before.live_revision_id : null,
      namesAfter: after.visibility === "public" ? after.live_revision_id : null,
      facts: {
        is_first: before.first_published_at === null,
        latest_number: after.latest_revision_number,
        visibility_before: before.visibility,
        visibility_after: after.visibility,
        hidden_before: before.hidden_at !== null,
        hidden_after: after.hidden_at !== null,
        retracted_before: before.retracted !== null,
        retracted_after: after.retracted !== null,
      },
    },
  ];
}
