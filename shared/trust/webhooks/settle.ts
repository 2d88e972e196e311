import type { Tx } from "../../../sql/connection/pool.ts";
import { findOwnerById } from "../../../sql/identity/owners.ts";
import type { ClaimedDelivery } from "../../../sql/trust/webhook-claims.ts";
import {
  endDeliveries,
  insertDelivery,
  markDelivered,
  markFailed,
  releaseDelivery,
  type Try,
  VERIFY_TYPE,
} from "../../../sql/trust/webhook-deliveries.ts";
import {
  deleteWebhook,
  lockWebhook,
  markConsentDue,
  markWebhookFailing,
  saveConsent,
  updateWebhookStatus,
  type WebhookRow,
} from "../../../sql/trust/webhooks.ts";
import { DAY_MS, MINUTE_MS } from "../../ground/times.ts";
import { SERVICE } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { recordWebhookAct } from "./change-webhook.ts";
import { FAILURES_TO_SLOW, type Outcome, planNextTry, planRest } from "./send-delivery.ts";

/** A webhook of which nothing but failures came for so long is switched off. */
const FAILING_MS = 3 * DAY_MS;
const GONE = 410;
/** Statuses by which the receiver of a subscription says that it wants no more of it. */
const ENDS_SUBSCRIPTION = new Set([GONE, 413]);
/** A receiver that consented once is asked again at most this often. */
const BETWEEN_QUESTIONS_MS = 5 * MINUTE_MS;
/** A receiver that is started anew has this long before it is asked again. */
const BEFORE_QUESTION_MS = 5_000;

/** Notes what came of a try, with all that follows from it for the webhook. */
export async function settleTry(deps: Deps, delivery: ClaimedDelivery, outcome: Outcome): Promise<void> {
  const tried = { webhookId: delivery.webhook_id, messageId: delivery.message_id, tries: delivery.tries };
  deps.metrics.webhookTries.inc({ outcome: outcome.failure ?? "delivered" });
  if (outcome.failure === "stopped") return await releaseDelivery(deps.pool, tried);
  if (outcome.failure !== null) return await settleFailure(deps, delivery, tried, outcome);
  if (delivery.type === VERIFY_TYPE) return await settleConsent(deps, tried, outcome);
  if (await markDelivered(deps.pool, tried, outcome.status ?? 0)) {
    deps.metrics.webhookDelay.observe(Math.max(0, deps.now() - delivery.created_at) / 1000);
  }
}

async function settleConsent(deps: Deps, tried: Try, { status, addresses }: Outcome): Promise<void> {
  await deps.pool.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, tried.webhookId);
    if (webhook === null || !(await markDelivered(tx, tried, status ?? 0))) return;
    if (webhook.status !== "unverified" && !webhook.consent_due) return;
    await saveConsent(tx, webhook, { address: addresses[0] ?? null, nowMs: deps.now() });
    await recordWebhookAct(tx, deps, SERVICE, webhook, "webhook.verify");
  });
}

async function settleFailure(
  deps: Deps,
  { type }: ClaimedDelivery,
  tried: Try,
  outcome: Outcome,
): Promise<void> {
  const nowMs = deps.now();
  const { status, failure } = outcome;
  const isConsent = type === VERIFY_TYPE;
  // An owner that may get nothing any more gets it not later either.
  const isFinal = failure === "closed" || failure === "forgotten";
  const fraction = Math.random();
  const disabled = await deps.pool.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, tried.webhookId);
    if (webhook === null) return null;
    const plan = { tries: tried.tries, nowMs, fraction, ...paceOf(webhook, isConsent, outcome) };
    const nextMs = isFinal ? null : planNextTry(plan);
    const isLast = await markFailed(tx, tried, { status, failure: failure ?? "status", nextMs });
    if (!isLast || isFinal) return null;
    if (saysItEnds(webhook, status)) return await endWebhook(tx, deps, webhook);
    const failures = webhook.failures + 1;
    await markWebhookFailing(tx, webhook.id, { nowMs, restingUntilMs: planRest(outcome, failures, nowMs) });
    if (!isConsent && mayHaveMoved(webhook, failures, outcome)) await askBeforeNext(tx, deps, webhook, nowMs);
    const isHopeless = webhook.failing_since !== null && webhook.failing_since <= nowMs - FAILING_MS;
    if (!isHopeless || webhook.status !== "active") return null;
    const isOfClient = webhook.subscription !== null;
    return await (isOfClient ? endWebhook : disableWebhook)(tx, deps, webhook);
  });
  if (disabled !== null) await mailOwner(deps, disabled);
}

/** A consent that is asked again has as many tries as what waits for it, none soon after another. */
function paceOf({ consent_due }: WebhookRow, isConsent: boolean, { retryAfterMs }: Outcome) {
  if (!isConsent || !consent_due) return { isConsent, retryAfterMs };
  return { isConsent: false, retryAfterMs: Math.max(BETWEEN_QUESTIONS_MS, retryAfterMs ?? 0) };
}

/** Whether who listens now may be another than who consented. */
function mayHaveMoved(webhook: WebhookRow, failures: number, { addresses, isUnreached }: Outcome): boolean {
  if (webhook.status !== "active" || webhook.consent_due) return false;
  const isElsewhere = !addresses.includes(webhook.consented_address ?? "");
  return isUnreached || (failures >= FAILURES_TO_SLOW && isElsewhere);
}

/** Has the receiver asked for its consent again before it is sent anything else. */
async function askBeforeNext(tx: Tx, deps: Deps, { id, asked_at }: WebhookRow, nowMs: number): Promise<void> {
  const dueMs = Math.max(nowMs + BEFORE_QUESTION_MS, (asked_at ?? 0) + BETWEEN_QUESTIONS_MS);
  await markConsentDue(tx, id, dueMs);
  await insertDelivery(tx, { webhookId: id, messageId: deps.newId(), type: VERIFY_TYPE, nowMs, dueMs });
}

function saysItEnds({ subscription }: WebhookRow, status: number | null): boolean {
  return subscription === null ? status === GONE : ENDS_SUBSCRIPTION.has(status ?? 0);
}

/** The receiver is gone for good, as it says; of a subscription nothing is kept. */
async function endWebhook(tx: Tx, deps: Deps, webhook: WebhookRow): Promise<null> {
  if (webhook.subscription !== null) await deleteWebhook(tx, webhook.id);
  else await updateWebhookStatus(tx, webhook.id, { status: "ended", nowMs: deps.now() });
  await endDeliveries(tx, webhook.id, { failure: "ended" });
  await recordWebhookAct(tx, deps, SERVICE, webhook, "webhook.end");
  return null;
}

async function disableWebhook(tx: Tx, deps: Deps, webhook: WebhookRow): Promise<WebhookRow> {
  await updateWebhookStatus(tx, webhook.id, { status: "disabled", reason: "failing", nowMs: deps.now() });
  await endDeliveries(tx, webhook.id, { failure: "disabled" });
  await recordWebhookAct(tx, deps, SERVICE, webhook, "webhook.disable");
  return webhook;
}

async function mailOwner(deps: Deps, { id, owner_id, url }: WebhookRow): Promise<void> {
  const owner = await findOwnerById(deps.pool, owner_id);
  if (owner === null || owner.status !== "active") return;
  await deps.mailer.send({
    to: owner.email,
    subject: "A webhook of yours at Broadsheet was switched off",
    text: `For three days nothing that was sent to ${new URL(url).host} arrived, so the webhook was switched off. What it missed is kept for your agents, which read it as events. When the receiver works again, switch the webhook on: the receiver is then asked for its consent.`,
    link: `${deps.config.siteUrl}/console/webhooks/${id}`,
  });
}
