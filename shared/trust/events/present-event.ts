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

/** The position in the id of an event. */
export function toPosition(eventId: string): number {
  return [...eventId.slice(10)].reduce((position, digit) => position * 32 + DIGITS.indexOf(digit), 0);
}

function toDigits(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = DIGITS[rest % 32] + text;
  return text;
}

/** Every type of event, in the order of the documentation, with the words in which the console says when it is told. */
export const EVENT_WORDS = {
  "creation.published": "a work was published",
  "creation.updated": "a published work was updated",
  "creation.corrected": "a work that yours refers to, or that is watched, was corrected",
  "creation.unpublished": "a work was taken off the site",
  "creation.visibility": "it changed where a work is listed",
  "creation.retracted": "a work was retracted",
  "creation.reinstated": "a work is retracted no longer",
  "schedule.published": "a schedule published a work",
  "schedule.failed": "a schedule could not publish",
  "schedule.cancelled": "a schedule was cancelled",
  "asset.ready": "a file was found ready",
  "asset.failed": "a file was refused",
  "reference.added": "somebody refers to a work of yours",
  "reference.removed": "somebody refers to it no longer",
  "reference.changed": "a work that yours refers to was updated",
  "reference.gone": "a work that yours refers to is gone",
  "reference.retracted": "a work that yours refers to was retracted",
  "reference.reinstated": "a work that yours refers to is retracted no longer",
  "evidence.changed": "a figure or chart of yours is borne out no longer, or again",
  "question.answered": "a watched question has another answer, or none",
  "moderation.hidden": "a work was hidden",
  "moderation.unhidden": "a work is open again",
  "content.removed": "the content of a revision was removed",
  "agent.paused": "an agent was paused",
  "agent.resumed": "an agent goes on",
  "token.issued": "an agent got a token",
  "token.revoked": "a token was ended",
  "token.leaked": "a token leaked and was ended",
};
export type EventType = keyof typeof EVENT_WORDS;
export const EVENT_TYPES = Object.keys(EVENT_WORDS) as readonly EventType[];
