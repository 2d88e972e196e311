import { type ClaimedDelivery, claimDeliveries, VERIFY_TYPE } from "../../sql/webhook-deliveries.ts";
import type { Deps } from "../deps.ts";
import { writeMessage } from "./messages.ts";
import { askForConsent, type Outcome, sendMessage, TRY_MS } from "./send-delivery.ts";
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
      }),
    );
    for (const delivery of claimed) {
      const isFull = claimed.filter((one) => one.webhook_id === delivery.webhook_id).length >= delivery.free;
      deps.background.begin((signal) => deliver(deps, delivery, isFull, signal));
    }
    begun += claimed.length;
    if (claimed.length < mostWebhooks) return begun;
  }
}

/** Sends one delivery and notes what came of it; where its webhook was sent all that it may be, the next has its turn. */
async function deliver(
  deps: Deps,
  delivery: ClaimedDelivery,
  isFull: boolean,
  signal: AbortSignal,
): Promise<void> {
  const told = { webhook: delivery.webhook_id, message: delivery.message_id, type: delivery.type };
  try {
    const outcome = await send(deps, delivery, signal);
    deps.log.debug({ ...told, tries: delivery.tries, ...outcome }, "webhook delivery tried");
    await settleTry(deps, delivery, outcome);
    if (isFull && !signal.aborted) await beginDeliveries(deps, delivery.webhook_id);
  } catch (error) {
    // Its claim ends by itself, and it is sent again.
    deps.log.error({ ...told, err: error }, "webhook delivery failed");
  }
}

async function send(deps: Deps, delivery: ClaimedDelivery, signal: AbortSignal): Promise<Outcome> {
  if (delivery.closed) return { status: null, failure: "closed", retryAfterMs: null };
  if (delivery.type === VERIFY_TYPE) return await askForConsent(deps, delivery, signal);
  const message = await writeMessage(deps, delivery);
  if (message === null) return { status: null, failure: "forgotten", retryAfterMs: null };
  return await sendMessage(deps, delivery, message, signal);
}
