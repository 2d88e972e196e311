import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { WebhookRow } from "../../../sql/trust/webhooks.ts";
import { DAY_MS } from "../../ground/times.ts";

const SECRET_BYTES = 32;
const PREFIX = "whsec_";
/** How long the secret before a new one signs too. */
export const BOTH_SIGN_MS = DAY_MS;

/** What the secrets of a webhook follow from. */
export type Generations = Pick<WebhookRow, "generation" | "renewed_at"> & { id: string };

/** A secret of Standard Webhooks, which the service makes again whenever it is needed. */
export function deriveSecret(key: Buffer, id: string, generation: number): string {
  const bytes = hkdfSync("sha256", key, id, `webhook:${generation}`, SECRET_BYTES);
  return `${PREFIX}${Buffer.from(bytes).toString("base64")}`;
}

/** When the secret before the present one ends; null where there is none that still signs. */
export function previousEndsMs({ generation, renewed_at }: Generations, nowMs: number): number | null {
  if (generation === 1 || renewed_at === null) return null;
  const endsMs = renewed_at + BOTH_SIGN_MS;
  return nowMs < endsMs ? endsMs : null;
}

/** The secrets that sign now, the present one first. */
export function listSecrets(key: Buffer, webhook: Generations, nowMs: number): string[] {
  const { id, generation } = webhook;
  const present = deriveSecret(key, id, generation);
  const hasTwo = previousEndsMs(webhook, nowMs) !== null;
  return hasTwo ? [present, deriveSecret(key, id, generation - 1)] : [present];
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const MARK_BYTES = 16;

const sealingKey = (key: Buffer, subscription: string) =>
  Buffer.from(hkdfSync("sha256", key, subscription, "subscription", SECRET_BYTES));

/** Seals the secret of a receiver, so that the database alone gives it to nobody. */
export function sealSecret(key: Buffer, subscription: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, sealingKey(key, subscription), nonce);
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** Opens a sealed secret; null where another key sealed it. */
export function openSecret(key: Buffer, subscription: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, "base64");
  const cipher = createDecipheriv(CIPHER, sealingKey(key, subscription), bytes.subarray(0, NONCE_BYTES));
  cipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + MARK_BYTES));
  try {
    const opened = [cipher.update(bytes.subarray(NONCE_BYTES + MARK_BYTES)), cipher.final()];
    return Buffer.concat(opened).toString("utf8");
  } catch {
    return null;
  }
}

/** The three headers of Standard Webhooks 1.0.0 for a body. */
export function signBody(
  secrets: readonly string[],
  { id, timestampSeconds, body }: { id: string; timestampSeconds: number; body: string },
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    const mark = createHmac("sha256", key).update(`${id}.${timestampSeconds}.${body}`).digest("base64");
    return `v1,${mark}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": signatures.join(" "),
  };
}
