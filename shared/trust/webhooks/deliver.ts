import { listEventItems } from "../../../sql/trust/event-inbox.ts";
import { listWatermarks } from "../../../sql/trust/subscriptions.ts";
import { type ClaimedDelivery, claimDeliveries } from "../../../sql/trust/webhook-claims.ts";
import { VERIFY_TYPE } from "../../../sql/trust/webhook-deliveries.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { toOccurrence } from "../events/occurrences.ts";
import { presentEvent } from "../events/present-event.ts";
import { toCursor } from "../events/read-events.ts";
import { askForConsent, type Message, type Outcome, sendMessage, TRY_MS, unsent } from "./send-delivery.ts";
import { settleTry } from "./settle.ts";

/** How much is sent to one webhook at once, by all processes. */
export const MOST_OF_ONE = 4;
/** How much a process sends at once: each is a connection, and most wait for their receivers. */
const MOST_AT_ONCE = 400;
/** A claim ends this long after a try must be over: then its process was killed. */
const CLAIM_MS = TRY_MS + 10_000;

/**
 * Begins to send what is due, of every webhook or of one, and returns how much: each try goes on in the background, so
 * that a slow receiver holds up nobody else. What a killed process began is due again once its claim ends.
 */
export async function beginDeliveries(deps: Deps, webhookId: string | null = null): Promise<number> {
  if (await deps.outboundNetwork.standsStill()) return 0;
  let begun = 0;
  for (;;) {
    const room = MOST_AT_ONCE - deps.background.count();
    if (room < MOST_OF_ONE) return begun;
    const mostWebhooks = Math.floor(room / MOST_OF_ONE);
    const nowMs = deps.now();
    const claimed = await deps.pool.transaction((tx) =>
      claimDeliveries(tx, {
        ...{ nowMs, untilMs: nowMs + CLAIM_MS },
        ...{ webhookId, mostWebhooks, mostOfOne: MOST_OF_ONE },
        mostOfOwner: deps.config.limits.webhookCallsPerMinute,
      }),
    );
    await beginClaimed(deps, claimed);
    begun += claimed.length;
    if (claimed.length < mostWebhooks) return begun;
  }
}

async function beginClaimed(deps: Deps, claimed: readonly ClaimedDelivery[]): Promise<void> {
  if (claimed.length === 0) return;
  const messages = await writeMessages(deps, claimed);
  const ofWebhook = Map.groupBy(claimed, ({ webhook_id }) => webhook_id);
  for (const delivery of claimed) {
    const isFull = (ofWebhook.get(delivery.webhook_id)?.length ?? 0) >= delivery.free;
    const message = messages.get(delivery) ?? null;
    deps.background.begin((signal) => deliver(deps, { delivery, message, isFull }, signal));
  }
}

interface Begun {
  delivery: ClaimedDelivery;
  message: Message | null;
  /** Whether its webhook is now sent all that it may be at once. */
  isFull: boolean;
}

/** Sends one delivery and notes what came of it; then the next of its webhook has its turn. */
async function deliver(deps: Deps, { delivery, message, isFull }: Begun, signal: AbortSignal): Promise<void> {
  const told = { webhook: delivery.webhook_id, message: delivery.message_id, type: delivery.type };
  try {
    const outcome = await send(deps, delivery, message, signal);
    deps.log.debug({ ...told, tries: delivery.tries, ...outcome }, "webhook delivery tried");
    await settleTry(deps, delivery, outcome);
    if (isFull && !signal.aborted) await beginDeliveries(deps, delivery.webhook_id);
  } catch (error) {
    // Its claim ends by itself, and it is sent again.
    deps.log.error({ ...told, err: error }, "webhook delivery failed");
  }
}

async function send(
  deps: Deps,
  delivery: ClaimedDelivery,
  message: Message | null,
  signal: AbortSignal,
): Promise<Outcome> {
  if (delivery.closed) return unsent("closed");
  if (delivery.type === VERIFY_TYPE) return await askForConsent(deps, delivery, signal);
  if (message === null) return unsent("forgotten");
  return await sendMessage(deps, delivery, message, signal);
}

/** The type of a test, which is in no log of events. */
export const TEST_TYPE = "webhook.test";

/** The bodies of deliveries, which are read together; one whose event is no longer kept has none. */
export async function writeMessages(
  deps: Deps,
  deliveries: readonly ClaimedDelivery[],
): Promise<ReadonlyMap<ClaimedDelivery, Message>> {
  const positions = deliveries.map(({ position }) => position).filter((position) => position !== null);
  const rows = positions.length === 0 ? [] : await listEventItems(deps.pool, positions);
  const known = new Map(rows.map((row) => [row.position, row]));
  const subscribed = deliveries.filter(({ subscription }) => subscription !== null);
  const watermarks = await listWatermarks(
    deps.pool,
    subscribed.map(({ webhook_id }) => webhook_id),
  );
  const messages = new Map<ClaimedDelivery, Message>();
  for (const delivery of deliveries) {
    const row = delivery.position === null ? undefined : known.get(delivery.position);
    if (delivery.type === TEST_TYPE) messages.set(delivery, writeTest(delivery));
    if (row === undefined) continue;
    const event = presentEvent(deps.config.siteUrl, row);
    if (delivery.subscription !== null) {
      // Behind it may be what waits: a receiver that goes on from there misses nothing.
      const watermark = watermarks.get(delivery.webhook_id) ?? row.position;
      messages.set(delivery, toOccurrence(event, toCursor(watermark)));
      continue;
    }
    // The version before added a delivery for each agent.
    const data = { ...event, agent_ids: delivery.agent_ids ?? [delivery.agent_id] };
    messages.set(delivery, { type: data.type, timestamp: data.timestamp, data });
  }
  return messages;
}

/** A test has the members of an event, and tells of nothing. */
function writeTest({ type, message_id: id, created_at }: ClaimedDelivery): Message {
  const timestamp = toIso(created_at);
  const none = { agent_id: null, creation_id: null, url: null, agent_ids: [] };
  return { type, timestamp, data: { id, type, timestamp, reason: "own", ...none, data: {} } };
}
