import { z } from "zod";
import { at, atOrNull, command, type Db, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";

export const WebhookStatus = z.enum(["unverified", "active", "disabled", "ended"]);
export type WebhookStatus = z.infer<typeof WebhookStatus>;
export const DisabledReason = z.enum(["failing", "restored"]);
export type DisabledReason = z.infer<typeof DisabledReason>;

export const WebhookRow = z.strictObject({
  id: z.string(),
  owner_id: z.string(),
  agent_id: z.string().nullable(),
  agent_handle: z.string().nullable(),
  url: z.string(),
  types: z.array(z.string()),
  status: WebhookStatus,
  status_reason: DisabledReason.nullable(),
  status_at: Timestamp,
  generation: z.number(),
  renewed_at: Timestamp.nullable(),
  failing_since: Timestamp.nullable(),
  failures: z.number(),
  consent_due: z.boolean(),
  asked_at: Timestamp.nullable(),
  consented_address: z.string().nullable(),
  /** The handle of a subscription; null for a webhook that an owner added. */
  subscription: z.string().nullable(),
  created_at: Timestamp,
});
export type WebhookRow = z.infer<typeof WebhookRow>;

const columns = sql.fragment`
  w.id, w.owner_id, w.agent_id, (SELECT a.handle FROM agents a WHERE a.id = w.agent_id) AS agent_handle, w.url, w.types,
  w.status, w.status_reason, w.status_at, w.generation, w.renewed_at, w.failing_since, w.failures,
  w.consent_due, w.asked_at, w.consented_address, w.subscription, w.created_at`;

/** Adds a webhook whose receiver has not consented yet. */
export async function insertWebhook(
  tx: Tx,
  webhook: Pick<WebhookRow, "id" | "owner_id" | "agent_id" | "url" | "types" | "created_at">,
): Promise<WebhookRow> {
  return await tx.one(sql.type(WebhookRow)`
    INSERT INTO webhooks AS w (id, owner_id, agent_id, url, types, status, status_at, created_at)
    VALUES (${webhook.id}, ${webhook.owner_id}, ${webhook.agent_id}, ${webhook.url}, ${texts(webhook.types)},
      'unverified', ${at(webhook.created_at)}, ${at(webhook.created_at)})
    RETURNING ${columns}`);
}

/** The webhooks of an owner in the order in which they were added; of every owner where none is named. */
export async function listWebhooks(db: Db, ownerId: string | null): Promise<readonly WebhookRow[]> {
  return await db.any(sql.type(WebhookRow)`
    SELECT ${columns} FROM webhooks w
    WHERE ${ownerId === null ? sql.fragment`true` : sql.fragment`w.owner_id = ${ownerId}`} AND w.subscription IS NULL
    ORDER BY w.owner_id, w.id`);
}

/** A webhook that an owner added, by its id. */
export async function findWebhook(db: Db, id: string): Promise<WebhookRow | null> {
  return await db.maybeOne(
    sql.type(WebhookRow)`SELECT ${columns} FROM webhooks w WHERE w.id = ${id} AND w.subscription IS NULL`,
  );
}

/** A webhook, locked against every other change until the transaction ends. */
export async function lockWebhook(tx: Tx, id: string): Promise<WebhookRow | null> {
  return await tx.maybeOne(sql.type(WebhookRow)`
    SELECT ${columns} FROM webhooks w WHERE w.id = ${id} FOR NO KEY UPDATE OF w`);
}

/** Sets the status of a webhook; its failures are forgotten. */
export async function updateWebhookStatus(
  tx: Tx,
  id: string,
  to: { status: WebhookStatus; reason?: DisabledReason; nowMs: number },
): Promise<void> {
  await tx.query(command`
    UPDATE webhooks SET status = ${to.status}, status_reason = ${to.reason ?? null}, status_at = ${at(to.nowMs)},
      failing_since = NULL, resting_until = NULL, failures = 0, consent_due = false
    WHERE id = ${id}`);
}

/** Notes that a receiver consented, for the first time or again, and at which network address. */
export async function saveConsent(
  tx: Tx,
  { id, consent_due }: Pick<WebhookRow, "id" | "consent_due">,
  { address, nowMs }: { address: string | null; nowMs: number },
): Promise<void> {
  await updateWebhookStatus(tx, id, { status: "active", nowMs });
  await tx.query(command`
    UPDATE webhooks SET consented_address = ${address}, asked_at = ${atOrNull(consent_due ? nowMs : null)}
    WHERE id = ${id}`);
}

/** Notes that nothing is sent to a webhook until its receiver, asked again at that time, consents. */
export async function markConsentDue(tx: Tx, id: string, askedMs: number): Promise<void> {
  await tx.query(command`UPDATE webhooks SET consent_due = true, asked_at = ${at(askedMs)} WHERE id = ${id}`);
}

/** Raises the generation of a webhook's secret. */
export async function raiseWebhookGeneration(tx: Tx, id: string, nowMs: number): Promise<WebhookRow> {
  return await tx.one(sql.type(WebhookRow)`
    UPDATE webhooks AS w SET generation = w.generation + 1, renewed_at = ${at(nowMs)}
    WHERE w.id = ${id} RETURNING ${columns}`);
}

/** Notes that a try failed, and until when nothing is sent. */
export async function markWebhookFailing(
  tx: Tx,
  id: string,
  of: { nowMs: number; restingUntilMs: number | null },
): Promise<void> {
  await tx.query(command`
    UPDATE webhooks SET failing_since = coalesce(failing_since, ${at(of.nowMs)}), failures = failures + 1,
      resting_until = greatest(${atOrNull(of.restingUntilMs)}, resting_until)
    WHERE id = ${id}`);
}

/** Deletes a webhook with its deliveries. */
export async function deleteWebhook(tx: Tx, id: string): Promise<void> {
  await tx.query(command`DELETE FROM webhooks WHERE id = ${id}`);
}
