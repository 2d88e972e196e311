import { z } from "zod";
import { at, atOrNull, Count, command, type Db, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";
import { isLiveGrant } from "../identity/oauth-grants.ts";
import { isValidToken } from "../identity/tokens.ts";

const SubscriptionRow = z.strictObject({
  id: z.string(),
  agent_id: z.string(),
  url: z.string(),
  types: z.array(z.string()),
  status: z.string(),
  consent_due: z.boolean(),
  subscription: z.string(),
  sealed_secret: z.string(),
  expires_at: Timestamp,
  created_at: Timestamp,
});
/** A subscription of a tool client: a webhook that an agent added. */
export type SubscriptionRow = z.infer<typeof SubscriptionRow>;

const columns = sql.fragment`
  w.id, w.agent_id, w.url, w.types, w.status, w.consent_due, w.subscription, w.sealed_secret, w.expires_at, w.created_at`;

/** Whether a webhook is an owner's, or a subscription that has not ended: by its time, or with its token or connection. */
export function goesOn(nowMs: number) {
  return sql.fragment`(w.subscription IS NULL OR (w.expires_at > ${at(nowMs)} AND (
    EXISTS (SELECT FROM tokens t WHERE t.id = w.token_id AND ${isValidToken(nowMs)})
    OR EXISTS (SELECT FROM oauth_grants g WHERE g.id = w.grant_id AND ${isLiveGrant(nowMs)}))))`;
}

/** Whether a webhook wants an event, of the rows `i` of the inbox and `e` of its event: a subscription narrows them. */
export const isWantedBySubscription = sql.fragment`(w.subscription IS NULL OR (
  coalesce(e.creation_id = w.arguments ->> 'creation_id', w.arguments ->> 'creation_id' IS NULL)
  AND coalesce(e.agent_id = w.arguments ->> 'agent_id', true)
  AND (w.arguments ->> 'name' IS NULL OR e.data ->> 'name' = w.arguments ->> 'name')
  AND (w.arguments ->> 'by' IS NULL OR NOT i.own_act)))`;

/** The subscriptions of an agent that go on, the oldest first. */
export async function listSubscriptions(db: Db, agentId: string, nowMs: number) {
  return await db.any(sql.type(SubscriptionRow)`
    SELECT ${columns} FROM webhooks w
    WHERE w.agent_id = ${agentId} AND w.subscription IS NOT NULL AND ${goesOn(nowMs)} ORDER BY w.id`);
}

/** Adds a subscription whose receiver has consented, or renews it. */
export async function saveSubscription(
  tx: Tx,
  wanted: Pick<
    SubscriptionRow,
    "id" | "agent_id" | "url" | "subscription" | "sealed_secret" | "expires_at"
  > & {
    owner_id: string;
    type: string;
    arguments: object;
    /** The secret before a new one. */
    sealed_before: string | null;
    token_id: string | null;
    grant_id: string | null;
    consented_address: string | null;
    nowMs: number;
  },
): Promise<void> {
  const now = at(wanted.nowMs);
  await tx.query(command`
    INSERT INTO webhooks AS w (id, owner_id, agent_id, url, types, status, status_at, created_at, subscription, arguments,
      sealed_secret, token_id, grant_id, expires_at, consented_address)
    VALUES (${wanted.id}, ${wanted.owner_id}, ${wanted.agent_id}, ${wanted.url}, ${texts([wanted.type])}, 'active', ${now},
      ${now}, ${wanted.subscription}, ${JSON.stringify(wanted.arguments)}::jsonb, ${wanted.sealed_secret},
      ${wanted.token_id}, ${wanted.grant_id}, ${at(wanted.expires_at)}, ${wanted.consented_address})
    ON CONFLICT (subscription) DO UPDATE SET status = 'active', status_reason = NULL, resting_until = NULL,
      sealed_secret = excluded.sealed_secret, token_id = excluded.token_id, grant_id = excluded.grant_id,
      expires_at = excluded.expires_at, consented_address = coalesce(excluded.consented_address, w.consented_address),
      consent_due = w.consent_due AND excluded.consented_address IS NULL,
      sealed_before = coalesce(${wanted.sealed_before}, w.sealed_before),
      renewed_at = coalesce(${atOrNull(wanted.sealed_before === null ? null : wanted.nowMs)}, w.renewed_at)`);
}

/** Ends subscriptions of an agent: one by its handle or its id, or all. Returns them. */
export async function deleteSubscriptions(
  tx: Tx,
  agentId: string,
  which: { subscription: string } | { id: string } | "all",
): Promise<readonly SubscriptionRow[]> {
  const named =
    which === "all"
      ? sql.fragment`true`
      : "id" in which
        ? sql.fragment`w.id = ${which.id}`
        : sql.fragment`w.subscription = ${which.subscription}`;
  return await tx.any(sql.type(SubscriptionRow)`
    DELETE FROM webhooks w WHERE w.agent_id = ${agentId} AND w.subscription IS NOT NULL AND ${named} RETURNING ${columns}`);
}

/** Deletes subscriptions that have ended, with their secrets. Returns the count. */
export async function deleteEndedSubscriptions(tx: Tx, nowMs: number, limit: number): Promise<number> {
  return await tx.oneFirst(sql.type(Count)`
    WITH ended AS (DELETE FROM webhooks WHERE id IN (
      SELECT w.id FROM webhooks w WHERE w.subscription IS NOT NULL AND NOT ${goesOn(nowMs)} LIMIT ${limit}) RETURNING id)
    SELECT count(*) FROM ended`);
}

const Watermark = z.strictObject({ webhook_id: z.string(), position: z.number() });

/** Of webhooks of which events wait, the position before the first of those. */
export async function listWatermarks(
  db: Db,
  webhookIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.any(sql.type(Watermark)`
    SELECT webhook_id, min(position) - 1 AS position FROM webhook_deliveries
    WHERE webhook_id = ANY(${texts(webhookIds)}) AND state = 'waiting' AND position IS NOT NULL GROUP BY webhook_id`);
  return new Map(rows.map(({ webhook_id, position }) => [webhook_id, position]));
}

/** Since when an agent may have no subscriptions; null where it may. */
export async function findSubscriptionsOff(db: Db, agentId: string): Promise<number | null> {
  return await db.oneFirst(sql.type(z.strictObject({ subscriptions_off_at: Timestamp.nullable() }))`
    SELECT subscriptions_off_at FROM agents WHERE id = ${agentId}`);
}
