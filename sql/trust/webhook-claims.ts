import { z } from "zod";
import { at, type Db, type Fragment, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";
import { goesOn } from "./subscriptions.ts";
import { VERIFY_TYPE } from "./webhook-deliveries.ts";

const Id = z.strictObject({ id: z.string() });

const ClaimedDelivery = z.strictObject({
  webhook_id: z.string(),
  message_id: z.string(),
  position: z.number().nullable(),
  agent_id: z.string().nullable(),
  agent_ids: z.array(z.string()).nullable(),
  type: z.string(),
  tries: z.number(),
  created_at: Timestamp,
  owner_id: z.string(),
  url: z.string(),
  generation: z.number(),
  subscription: z.string().nullable(),
  sealed_secret: z.string().nullable(),
  sealed_before: z.string().nullable(),
  renewed_at: Timestamp.nullable(),
  closed: z.boolean(),
  free: z.number(),
});
/**
 * A delivery that this process sends now; `closed` where its owner or agent may get nothing any more, `free` how many
 * of its webhook could be claimed with it.
 */
export type ClaimedDelivery = z.infer<typeof ClaimedDelivery>;

/** What a process takes of what is due. */
export interface Claim {
  nowMs: number;
  untilMs: number;
  /** Of one webhook, or of any where it is null. */
  webhookId: string | null;
  /** Of how many webhooks at once. */
  mostWebhooks: number;
  /** How many of one webhook are sent at once, by all processes; one fewer for each failure in a row, down to one. */
  mostOfOne: number;
  /** How many of all webhooks of an owner are sent in a minute. */
  mostOfOwner: number;
}

const MINUTE_MS = 60_000;

/** The minute of a claim. */
const minuteOf = (nowMs: number) => at(nowMs - (nowMs % MINUTE_MS));

/** How many more of a webhook may be sent at once. */
function freeOf({ nowMs, mostOfOne }: Claim): Fragment {
  return sql.fragment`(greatest(1, ${mostOfOne} - w.failures) - (
    SELECT count(*) FROM webhook_deliveries f WHERE f.webhook_id = w.id AND f.claimed_until > ${at(nowMs)}))`;
}

/** How many more of all webhooks of an owner may be sent in this minute. */
function leftOf({ nowMs, mostOfOwner }: Claim): Fragment {
  return sql.fragment`(${mostOfOwner} - (SELECT coalesce(sum(m.calls), 0) FROM webhooks m
    WHERE m.owner_id = w.owner_id AND m.minute = ${minuteOf(nowMs)}))`;
}

/** While a receiver is asked for consent, for the first time or again, it is sent nothing else. */
const isItsTurn = sql.fragment`(d.type = ${VERIFY_TYPE}) = (w.status = 'unverified' OR w.consent_due)`;

/**
 * Claims what is due and returns it. Two statements: the second one sees what another process claimed of a webhook
 * before this one got its lock.
 */
export async function claimDeliveries(tx: Tx, claim: Claim): Promise<readonly ClaimedDelivery[]> {
  const ids = await lockDueWebhooks(tx, claim);
  return ids.length === 0 ? [] : await claimOf(tx, ids, claim);
}

/** Locks webhooks for which something is due and which are sent less than they may be. */
async function lockDueWebhooks(tx: Tx, claim: Claim) {
  const { nowMs, webhookId, mostWebhooks } = claim;
  return await tx.anyFirst(sql.type(Id)`
    SELECT w.id FROM webhooks w
    WHERE ${webhookId === null ? sql.fragment`true` : sql.fragment`w.id = ${webhookId}`}
      AND w.status IN ('active', 'unverified') AND (w.resting_until IS NULL OR w.resting_until <= ${at(nowMs)})
      AND ${goesOn(nowMs)}
      AND EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND ${isDue(nowMs)})
      AND ${freeOf(claim)} > 0 AND ${leftOf(claim)} > 0
    ORDER BY w.id LIMIT ${mostWebhooks} FOR NO KEY UPDATE OF w SKIP LOCKED`);
}

async function claimOf(tx: Tx, ids: readonly string[], claim: Claim) {
  const { nowMs, untilMs } = claim;
  const minute = minuteOf(nowMs);
  return await tx.any(sql.type(ClaimedDelivery)`
    WITH claimed AS (
      UPDATE webhook_deliveries AS c SET claimed_until = ${at(untilMs)}, tries = c.tries + 1, tried_at = ${at(nowMs)}
      FROM (
        SELECT p.message_id, w.id AS webhook_id, w.owner_id, w.url, w.generation, w.renewed_at,
          w.subscription, w.sealed_secret, w.sealed_before,
          o.status <> 'active' OR coalesce(a.suspended_at, a.archived_at) IS NOT NULL AS closed, r.free, r.left,
          row_number() OVER (PARTITION BY w.owner_id ORDER BY p.due_at, p.position, p.message_id) AS place
        FROM webhooks w JOIN owners o ON o.id = w.owner_id CROSS JOIN LATERAL (
          SELECT greatest(0, ${freeOf(claim)}) AS free, ${leftOf(claim)} AS left
        ) r CROSS JOIN LATERAL (
          SELECT d.message_id, d.agent_id, d.due_at, d.position FROM webhook_deliveries d
          WHERE d.webhook_id = w.id AND ${isDue(nowMs)} AND ${isItsTurn}
          ORDER BY d.due_at, d.position, d.message_id LIMIT r.free
        ) p LEFT JOIN agents a ON a.id = p.agent_id
        WHERE w.id = ANY(${texts(ids)})
      ) due
      WHERE c.webhook_id = due.webhook_id AND c.message_id = due.message_id AND due.place <= due.left
      RETURNING c.webhook_id, c.message_id, c.position, c.agent_id, c.agent_ids, c.type, c.tries, c.created_at,
        due.owner_id, due.url, due.generation, due.renewed_at, due.subscription, due.sealed_secret,
        due.sealed_before, due.closed, due.free),
    counted AS (
      UPDATE webhooks AS w SET minute = ${minute},
        calls = n.count + CASE WHEN w.minute = ${minute} THEN w.calls ELSE 0 END
      FROM (SELECT webhook_id, count(*) AS count FROM claimed GROUP BY webhook_id) n WHERE w.id = n.webhook_id)
    SELECT webhook_id, message_id, position, agent_id, agent_ids, type, tries, created_at, owner_id, url, generation,
      renewed_at, subscription, sealed_secret, sealed_before, closed, free FROM claimed`);
}

function isDue(nowMs: number) {
  return sql.fragment`d.state = 'waiting' AND d.due_at <= ${at(nowMs)}
    AND (d.claimed_until IS NULL OR d.claimed_until <= ${at(nowMs)})`;
}

/** Since when the longest due delivery waits of which nobody sends one to its webhook; null where none does. */
export async function findLongestWaitingDelivery(db: Db, nowMs: number): Promise<number | null> {
  return await db.oneFirst(sql.type(z.strictObject({ due: Timestamp.nullable() }))`
    SELECT min((SELECT d.due_at FROM webhook_deliveries d
      WHERE d.webhook_id = w.id AND ${isDue(nowMs)} AND ${isItsTurn}
      ORDER BY d.due_at LIMIT 1)) AS due
    FROM webhooks w
    WHERE w.status IN ('active', 'unverified') AND (w.resting_until IS NULL OR w.resting_until <= ${at(nowMs)})
      AND ${goesOn(nowMs)} AND NOT EXISTS (SELECT FROM webhook_deliveries f
        WHERE f.webhook_id = w.id AND f.claimed_until > ${at(nowMs)})`);
}
