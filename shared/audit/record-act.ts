import { type AuditEntry, insertAuditEntry } from "../../sql/audit-log.ts";
import type { Tx } from "../../sql/connection/pool.ts";

/** Who acts: an agent by a token, a person in the console, or an operator's command. */
export type Actor = Pick<AuditEntry, "actorKind" | "actorId" | "tokenId" | "requestId">;

/** An act and its subject. */
export type Act = Pick<AuditEntry, "action" | "subjectKind" | "subjectId" | "agentId"> & {
  detail?: AuditEntry["detail"];
};

/** Writes the audit entry of a write, in its transaction. */
export async function recordAct(tx: Tx, actor: Actor, act: Act, atMs: number): Promise<void> {
  await insertAuditEntry(tx, { ...actor, ...act, detail: act.detail ?? {}, atMs });
}

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
