import type { Tx } from "../../../sql/connection/pool.ts";
import { type AuditEntry, insertAuditEntries } from "../../../sql/identity/audit-log.ts";
import type { NewKey } from "../../../sql/identity/idempotency-keys.ts";
import type { EventActor, OutboxEntry } from "../../../sql/trust/event-outbox.ts";
import { type Change, TOLD, toEntries } from "./changes.ts";

/** Who acts: an agent by a token, a person in the console, or an operator's command. */
export type Actor = Pick<AuditEntry, "actorKind" | "actorId" | "tokenId" | "requestId">;

/** An act and its subject. */
export type Act = Pick<AuditEntry, "action" | "subjectKind" | "subjectId" | "agentId"> & {
  detail?: AuditEntry["detail"];
  /** What it changed that agents are told of; an act of `TOLD` has to say it, if only that it changed nothing. */
  changes?: readonly Change[];
};

/** Writes the audit entry of a write, and what agents are told of it, in its transaction. */
export async function recordAct(tx: Tx, actor: Actor, act: Act, atMs: number): Promise<void> {
  await recordActs(tx, actor, [act], { atMs, key: null });
}

/** Writes the entries of the acts of one write, what agents are told of them, and the answer kept for its key. */
export async function recordActs(
  tx: Tx,
  actor: Actor,
  acts: readonly Act[],
  { atMs, key }: { atMs: number; key: NewKey | null },
): Promise<void> {
  const entries = acts.map(({ changes: _, detail = {}, ...named }) => ({ ...actor, ...named, detail, atMs }));
  const changes = acts.flatMap((act) => toTold(actor, act));
  await insertAuditEntries(tx, entries, { atMs, changes, key });
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
