import type { Tx } from "../../../sql/connection/pool.ts";
import { insertEventDeliveries, listSubscribedEvents } from "../../../sql/trust/webhook-deliveries.ts";
import { toEventId } from "./present-event.ts";

/** Adds one delivery for each webhook, act and type of new events, in the transaction that makes the events readable. */
export async function addDeliveries(tx: Tx, part: Parameters<typeof listSubscribedEvents>[1]): Promise<void> {
  const events = await listSubscribedEvents(tx, part);
  if (events.length === 0) return;
  const acts = Map.groupBy(
    events,
    ({ webhook_id, outbox_id, position, type }) => `${webhook_id} ${outbox_id ?? -position} ${type}`,
  );
  const first = [...acts.values()].flatMap(([event, ...others]) => {
    if (event === undefined) return [];
    const agentIds = [...new Set([event, ...others].map(({ agent_id }) => agent_id))].sort();
    return [{ ...event, messageId: toEventId(event), agentIds }];
  });
  await insertEventDeliveries(tx, first);
}
