import type { EventActor, OutboxEntry } from "../../../sql/trust/event-outbox.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";

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
