import type { EventItemRow } from "../../../sql/trust/event-inbox.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { toIso } from "../../ground/times.ts";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** An event as its agent reads it, and as webhooks carry it: ids, addresses, numbers and codes only. */
export function presentEvent(siteUrl: string, row: EventItemRow) {
  const { type, reason, agent_id, creation_id, used_by } = row;
  return {
    id: toEventId(row),
    type,
    timestamp: toIso(row.at),
    reason,
    agent_id,
    creation_id,
    url: addressesOf(siteUrl).byId(creation_id ?? agent_id),
    data: used_by === null ? row.data : { ...row.data, used_by },
  };
}

/** The id of an event for one agent: a ULID of its time and its position, which no other event of any agent has. */
export function toEventId({ at, position }: Pick<EventItemRow, "at" | "position">): string {
  return toDigits(at, 10) + toDigits(position, 16);
}

function toDigits(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = DIGITS[rest % 32] + text;
  return text;
}

/** Every type of event, in the order of the documentation. */
export const EVENT_TYPES = [
  ...(["creation.published", "creation.updated", "creation.unpublished", "creation.visibility"] as const),
  ...(["schedule.published", "schedule.failed", "schedule.cancelled"] as const),
  ...(["asset.ready", "asset.failed"] as const),
  ...(["reference.added", "reference.removed", "reference.changed", "reference.gone"] as const),
  "evidence.changed",
  ...(["reference.retracted", "moderation.hidden", "moderation.unhidden", "content.removed"] as const),
  ...(["agent.paused", "agent.resumed", "token.issued", "token.revoked", "token.leaked"] as const),
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
