import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";
import { isWantedBySubscription } from "./subscriptions.ts";
import { hadMuted } from "./watches.ts";

export const DeliveryState = z.enum(["waiting", "delivered", "failed"]);

const DeliveryRow = z.strictObject({
  webhook_id: z.string(),
  message_id: z.string(),
  type: z.string(),
  state: DeliveryState,
  tries: z.number(),
  due_at: Timestamp,
  tried_at: Timestamp.nullable(),
  status: z.number().nullable(),
  failure: z.string().nullable(),
  created_at: Timestamp,
});
/** What is sent to a webhook, and what came of the last try. */
export type DeliveryRow = z.infer<typeof DeliveryRow>;

const columns = sql.fragment`
  d.webhook_id, d.message_id, d.type, d.state, d.tries, d.due_at, d.tried_at, d.status, d.failure, d.created_at`;

const Id = z.strictObject({ id: z.string() });

/** The type of the question for a receiver's consent. */
export const VERIFY_TYPE = "webhook.verify";

/** Adds what is no event: a test, or the question for consent. */
export async function insertDelivery(
  tx: Tx,
  delivery: { webhookId: string; messageId: string; type: string; nowMs: number; dueMs?: number },
): Promise<void> {
  const { nowMs, dueMs = nowMs } = delivery;
  await tx.query(command`
    INSERT INTO webhook_deliveries (webhook_id, message_id, type, state, due_at, created_at)
    VALUES (${delivery.webhookId}, ${delivery.messageId}, ${delivery.type}, 'waiting', ${at(dueMs)}, ${at(nowMs)})`);
}

/** How much waits for webhooks that are not switched off. */
export async function countWaitingDeliveries(db: Db): Promise<number> {
  return await db.oneFirst(sql.type(z.strictObject({ count: z.number() }))`
    SELECT count(*) FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.state = 'waiting' AND w.status IN ('active', 'unverified')`);
}

const Subscribed = z.strictObject({
  webhook_id: z.string(),
  /** Null for a subscription, which is told of an act once for each reason, as its agent is. */
  outbox_id: z.number().nullable(),
  position: z.number(),
  agent_id: z.string(),
  type: z.string(),
  at: Timestamp,
});
/** An event of which a webhook is to be told, and the act that it is of. */
export type SubscribedEvent = z.infer<typeof Subscribed>;

/**
 * The new events of which webhooks are to be told, in their order; not what agents did that had been muted. The webhooks
 * are locked against their removal until the transaction ends.
 */
export async function listSubscribedEvents(
  tx: Tx,
  {
    afterPosition,
    lastPosition,
    webhookId,
  }: { afterPosition: number; lastPosition: number; webhookId?: string },
): Promise<readonly SubscribedEvent[]> {
  const isMuted = hadMuted(sql.fragment`i.agent_id`, sql.fragment`e.agent_id`, sql.fragment`e.outbox_id`);
  return await tx.any(sql.type(Subscribed)`
    SELECT w.id AS webhook_id, CASE WHEN w.subscription IS NULL THEN e.outbox_id END AS outbox_id, i.position, i.agent_id, i.type, e.at
    FROM event_inbox i JOIN events e ON e.id = i.event_id
      JOIN agents a ON a.id = i.agent_id AND a.suspended_at IS NULL AND a.archived_at IS NULL
      JOIN owners o ON o.id = a.owner_id AND o.status = 'active'
      JOIN webhooks w ON w.owner_id = a.owner_id AND w.status = 'active' AND i.type = ANY(w.types)
        AND (w.agent_id IS NULL OR w.agent_id = a.id) AND ${isWantedBySubscription}
        AND ${webhookId === undefined ? sql.fragment`true` : sql.fragment`w.id = ${webhookId}`}
    WHERE i.position > ${afterPosition} AND i.position <= ${lastPosition} AND NOT ${isMuted}
    ORDER BY w.id, i.position FOR KEY SHARE OF w`);
}

/**
 * Adds events to be sent, each under the id by which its agent knows it, with the agents whom its act concerns. An act of
 * which its webhook is told already adds its agents to that delivery.
 */
export async function insertEventDeliveries(
  tx: Tx,
  events: readonly (SubscribedEvent & { messageId: string; agentIds: readonly string[] })[],
): Promise<void> {
  const rows = events.map((event) => [
    ...[event.webhook_id, event.messageId, event.position, event.agent_id, event.type],
    ...[new Date(event.at).toISOString(), event.outbox_id, `{${event.agentIds.join(",")}}`],
  ]);
  await tx.query(command`
    INSERT INTO webhook_deliveries AS d (webhook_id, message_id, position, agent_id, type, state, due_at, created_at,
      outbox_id, agent_ids)
    SELECT x.webhook_id, x.message_id, x.position, x.agent_id, x.type, 'waiting', x.at::timestamptz, x.at::timestamptz,
      x.outbox_id, x.agent_ids::text[]
    FROM ${sql.unnest(rows, ["text", "text", "int8", "text", "text", "text", "int8", "text"])}
      AS x (webhook_id, message_id, position, agent_id, type, at, outbox_id, agent_ids)
    ON CONFLICT (webhook_id, outbox_id, type) WHERE outbox_id IS NOT NULL DO UPDATE
      SET agent_ids = ARRAY(SELECT unnest(d.agent_ids) UNION SELECT unnest(excluded.agent_ids) ORDER BY 1)`);
}

/** The latest deliveries of a webhook, the newest first. */
export async function listDeliveries(db: Db, webhookId: string, limit: number) {
  return await db.any(sql.type(DeliveryRow)`
    SELECT ${columns} FROM webhook_deliveries d WHERE d.webhook_id = ${webhookId}
    ORDER BY d.created_at DESC, d.position DESC NULLS LAST, d.message_id DESC LIMIT ${limit}`);
}

/** One delivery of a webhook. */
export async function findDelivery(db: Db, webhookId: string, messageId: string) {
  return await db.maybeOne(sql.type(DeliveryRow)`
    SELECT ${columns} FROM webhook_deliveries d
    WHERE d.webhook_id = ${webhookId} AND d.message_id = ${messageId}`);
}

/** Puts a delivery back to its beginning, to be sent now. */
export async function restartDelivery(tx: Tx, of: { webhookId: string; messageId: string; nowMs: number }) {
  await tx.query(command`
    UPDATE webhook_deliveries SET state = 'waiting', tries = 0, due_at = ${at(of.nowMs)}, claimed_until = NULL
    WHERE webhook_id = ${of.webhookId} AND message_id = ${of.messageId}`);
}

/** Ends everything that waits for a webhook, or only the questions for consent. */
export async function endDeliveries(
  tx: Tx,
  webhookId: string,
  { failure, type }: { failure: string; type?: string },
): Promise<void> {
  await tx.query(command`
    UPDATE webhook_deliveries SET state = 'failed', failure = ${failure}, claimed_until = NULL
    WHERE webhook_id = ${webhookId} AND state = 'waiting'
      AND ${type === undefined ? sql.fragment`true` : sql.fragment`type = ${type}`}`);
}

/** A try, named so that a later one of the same delivery is left alone. */
export interface Try {
  webhookId: string;
  messageId: string;
  tries: number;
}

const isTry = ({ webhookId, messageId, tries }: Try) => sql.fragment`
  webhook_id = ${webhookId} AND message_id = ${messageId} AND tries = ${tries} AND state = 'waiting'`;

/** Notes that a try was answered well, and that the webhook works; tells whether the try was still the last one. */
export async function markDelivered(db: Db, tried: Try, status: number): Promise<boolean> {
  const row = await db.maybeOne(sql.type(Id)`
    WITH works AS (
      UPDATE webhooks SET failing_since = NULL, resting_until = NULL, failures = 0
      WHERE id = ${tried.webhookId} AND (failing_since IS NOT NULL OR resting_until IS NOT NULL OR failures > 0))
    UPDATE webhook_deliveries SET state = 'delivered', status = ${status}, failure = NULL, claimed_until = NULL
    WHERE ${isTry(tried)} RETURNING message_id AS id`);
  return row !== null;
}

/** Notes that a try failed, and when the next one is due; null: there is none. */
export async function markFailed(
  tx: Tx,
  tried: Try,
  of: { status: number | null; failure: string; nextMs: number | null },
): Promise<boolean> {
  const next = of.nextMs === null ? sql.fragment`due_at` : at(of.nextMs);
  const row = await tx.maybeOne(sql.type(Id)`
    UPDATE webhook_deliveries SET state = ${of.nextMs === null ? "failed" : "waiting"}, status = ${of.status},
      failure = ${of.failure}, due_at = ${next}, claimed_until = NULL
    WHERE ${isTry(tried)} RETURNING message_id AS id`);
  return row !== null;
}

/** Gives back a try that never ended: it is due again at once, and does not count. */
export async function releaseDelivery(db: Db, tried: Try): Promise<void> {
  await db.query(command`
    UPDATE webhook_deliveries SET tries = tries - 1, claimed_until = NULL WHERE ${isTry(tried)}`);
}
