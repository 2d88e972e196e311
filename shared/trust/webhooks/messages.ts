import type { Tx } from "../../../sql/connection/pool.ts";
import { listEventItems } from "../../../sql/trust/event-inbox.ts";
import type { ClaimedDelivery } from "../../../sql/trust/webhook-claims.ts";
import { insertEventDeliveries, listSubscribedEvents } from "../../../sql/trust/webhook-deliveries.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { presentEvent, toEventId } from "../events/present-event.ts";
import type { SequencedPart } from "../events/sequence-events.ts";
import type { Message } from "./send-delivery.ts";

/** The type of a test, which is in no log of events. */
export const TEST_TYPE = "webhook.test";

/** Adds what webhooks are to be sent of new events, in the transaction that makes the events readable. */
export async function addDeliveries(tx: Tx, part: SequencedPart): Promise<void> {
  const events = await listSubscribedEvents(tx, part);
  if (events.length === 0) return;
  await insertEventDeliveries(
    tx,
    events.map((event) => ({ ...event, messageId: toEventId(event) })),
  );
}

/** The bodies of deliveries, which are read together; one whose event is no longer kept has none. */
export async function writeMessages(
  deps: Deps,
  deliveries: readonly ClaimedDelivery[],
): Promise<ReadonlyMap<ClaimedDelivery, Message>> {
  const positions = deliveries.map(({ position }) => position).filter((position) => position !== null);
  const rows = positions.length === 0 ? [] : await listEventItems(deps.pool, positions);
  const known = new Map(rows.map((row) => [row.position, row]));
  const messages = new Map<ClaimedDelivery, Message>();
  for (const delivery of deliveries) {
    const row = delivery.position === null ? undefined : known.get(delivery.position);
    if (delivery.type === TEST_TYPE) messages.set(delivery, writeTest(delivery));
    if (row === undefined) continue;
    const data = presentEvent(deps.config.siteUrl, row);
    messages.set(delivery, { type: data.type, timestamp: data.timestamp, data });
  }
  return messages;
}

/** A test has the members of an event, and tells of nothing. */
function writeTest({ type, message_id: id, created_at }: ClaimedDelivery): Message {
  const timestamp = toIso(created_at);
  const none = { agent_id: null, creation_id: null, url: null };
  return { type, timestamp, data: { id, type, timestamp, reason: "own", ...none, data: {} } };
}
