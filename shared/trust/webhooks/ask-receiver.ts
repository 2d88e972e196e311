import type { Tx } from "../../../sql/connection/pool.ts";
import { countAsk, type OwnerRow } from "../../../sql/identity/owners.ts";
import {
  endDeliveries,
  findDelivery,
  insertDelivery,
  restartDelivery,
  VERIFY_TYPE,
} from "../../../sql/trust/webhook-deliveries.ts";
import { updateWebhookStatus, type WebhookRow } from "../../../sql/trust/webhooks.ts";
import { notFound, Refusal } from "../../ground/errors.ts";
import { HOUR_MS } from "../../ground/times.ts";
import type { Actor } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfOwner } from "../../platform/limits-in-force.ts";
import { changeWebhook, recordWebhookAct, type Which } from "./change-webhook.ts";
import { TEST_TYPE } from "./deliver.ts";

const HOUR_SECONDS = 3_600;
const CONFLICT = 409;

/** Enqueues the question for a receiver's consent in the caller's transaction, in place of one that still waits. */
export async function askReceiver(tx: Tx, deps: Deps, webhook: WebhookRow, owner: OwnerRow): Promise<void> {
  await countByHand(tx, deps, owner);
  const messageId = deps.newId();
  await endDeliveries(tx, webhook.id, { failure: "replaced", type: VERIFY_TYPE });
  await insertDelivery(tx, { webhookId: webhook.id, messageId, type: VERIFY_TYPE, nowMs: deps.now() });
}

/** Asks a receiver again, also one whose webhook was switched off: with its consent the webhook goes on. */
export async function askAgain(deps: Deps, actor: Actor, which: Which) {
  return await changeWebhook(deps, which, async (tx, webhook, owner) => {
    checkGoesOn(webhook);
    if (webhook.status === "active" && !webhook.consent_due)
      throw refuseNow("The receiver has consented already.");
    if (webhook.status === "disabled") {
      await updateWebhookStatus(tx, webhook.id, { status: "unverified", nowMs: deps.now() });
    }
    await askReceiver(tx, deps, webhook, owner);
    await recordWebhookAct(tx, deps, actor, webhook, "webhook.ask");
    return { webhook_id: webhook.id, status: webhook.status === "active" ? "active" : "unverified" };
  });
}

/** Sends a test to a webhook whose receiver has consented; it is in no log of events. */
export async function sendTest(deps: Deps, actor: Actor, which: Which) {
  return await changeWebhook(deps, which, async (tx, webhook, owner) => {
    checkActive(webhook);
    await countByHand(tx, deps, owner);
    const messageId = deps.newId();
    await insertDelivery(tx, { webhookId: webhook.id, messageId, type: TEST_TYPE, nowMs: deps.now() });
    await recordWebhookAct(tx, deps, actor, webhook, "webhook.test");
    return { webhook_id: webhook.id, message_id: messageId, type: TEST_TYPE };
  });
}

/** Sends a delivery again, from its first try on; what still waits is sent now. */
export async function sendAgain(
  deps: Deps,
  actor: Actor,
  which: Which & { messageId: string },
): Promise<void> {
  await changeWebhook(deps, which, async (tx, webhook, owner) => {
    const delivery = await findDelivery(tx, webhook.id, which.messageId);
    if (delivery === null || delivery.type === VERIFY_TYPE) throw notFound("delivery");
    checkActive(webhook);
    await countByHand(tx, deps, owner);
    await restartDelivery(tx, {
      ...{ webhookId: webhook.id, messageId: delivery.message_id, nowMs: deps.now() },
    });
    await recordWebhookAct(tx, deps, actor, webhook, "webhook.resend");
  });
}

function checkActive(webhook: WebhookRow): void {
  checkGoesOn(webhook);
  if (webhook.status === "active") return;
  throw refuseNow("The receiver has not consented, so nothing is sent.", "Ask it for its consent first.");
}

function checkGoesOn({ status }: WebhookRow): void {
  if (status !== "ended") return;
  const hint = "Remove it, and add it again.";
  throw refuseNow("The receiver answered 410, so this webhook has ended.", hint);
}

function refuseNow(sentence: string, hint?: string): Refusal {
  return new Refusal("http_error", sentence, { status: CONFLICT, ...(hint !== undefined && { hint }) });
}

/** The receiver is somebody's server: an owner has only so much sent by hand. */
export async function countByHand(tx: Tx, deps: Deps, owner: OwnerRow): Promise<void> {
  const most = limitsOfOwner(deps, owner).webhookAsksPerHour;
  const nowMs = deps.now();
  if ((await countAsk(tx, "webhook_asks", owner.id, { nowMs, sinceMs: nowMs - HOUR_MS })) <= most) return;
  const sentence = `You can have ${most} questions and tests an hour sent.`;
  throw new Refusal("rate_limited", sentence, { retryAfterSeconds: HOUR_SECONDS });
}
