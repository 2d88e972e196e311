import type { ClaimedDelivery } from "../../sql/webhook-deliveries.ts";
import type { Deps } from "../deps.ts";
import { toIso } from "../times.ts";
import type { Message } from "./send-delivery.ts";

/** The type of a test, which is in no log of events. */
export const TEST_TYPE = "webhook.test";

/** The body of a delivery; null where its event is no longer kept. */
export async function writeMessage(_deps: Deps, delivery: ClaimedDelivery): Promise<Message | null> {
  const { type, message_id: id, created_at } = delivery;
  const timestamp = toIso(created_at);
  if (type !== TEST_TYPE) return null;
  const none = { agent_id: null, creation_id: null, url: null };
  return { type, timestamp, data: { id, type, timestamp, reason: "own", ...none, data: {} } };
}
