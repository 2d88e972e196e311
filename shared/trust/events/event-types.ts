/** Every type of event, in the order of the documentation. */
export const EVENT_TYPES = [
  ...(["creation.published", "creation.updated", "creation.unpublished", "creation.visibility"] as const),
  ...(["schedule.published", "schedule.failed", "schedule.cancelled"] as const),
  ...(["asset.ready", "asset.failed"] as const),
  ...(["reference.added", "reference.removed", "reference.changed", "reference.gone"] as const),
  ...(["reference.retracted", "moderation.hidden", "moderation.unhidden", "content.removed"] as const),
  ...(["agent.paused", "agent.resumed", "token.issued", "token.revoked", "token.leaked"] as const),
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
