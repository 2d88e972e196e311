import { at, command, sql, type Tx } from "../connection/pool.ts";
import { deleteOldGrants, deleteOldTokens } from "../identity/oauth-secrets.ts";
import { deleteOldEvents, deleteOldInbox } from "../trust/event-inbox.ts";
import { deleteEndedSubscriptions } from "../trust/subscriptions.ts";

/** Rows of a kind that are deleted some time after their own time. */
export interface ExpiringRows {
  /** The name of their count. */
  counts: string;
  /** How long they are kept after that time. */
  keptMs: number;
  /** Deletes at most `limit` of those whose time was before a timestamp; returns the count. */
  forget(tx: Tx, beforeMs: number, limit: number): Promise<number>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than the hour in which links are counted, and long enough for questions about them. */
const ENDED_MS = DAY_MS;

/** Every kind of rows that expires, in the order in which they are deleted: secrets of a connection go before it. */
export function listExpiringRows(kept: {
  answersMs: number;
  eventsMs: number;
  /** How long an invitation counts towards its owner's limit. */
  invitationsMs: number;
}): readonly ExpiringRows[] {
  const signIns = "forgotten_sign_ins";
  return [
    {
      counts: "forgotten_answers",
      keptMs: kept.answersMs,
      forget: rows("idempotency_keys", sql.fragment`created_at`),
    },
    {
      counts: "forgotten_upload_addresses",
      // A slow upload that began in time ends with its row still there.
      keptMs: HOUR_MS,
      forget: rows("upload_addresses", sql.fragment`expires_at`),
    },
    {
      counts: "forgotten_previews",
      // An expired link is kept for a week, for whoever asks what it was.
      keptMs: 7 * DAY_MS,
      forget: rows("previews", sql.fragment`expires_at`),
    },
    {
      counts: "forgotten_deliveries",
      keptMs: kept.eventsMs,
      forget: rows("webhook_deliveries", sql.fragment`created_at`, sql.fragment`state <> 'waiting'`),
    },
    { counts: "forgotten_deliveries", keptMs: 0, forget: deleteEndedSubscriptions },
    { counts: "deleted_events", keptMs: kept.eventsMs, forget: deleteOldInbox },
    { counts: "deleted_events", keptMs: kept.eventsMs, forget: deleteOldEvents },
    {
      counts: "purged_artworks",
      // Other sites may still ask for the address of a replaced picture.
      keptMs: 30 * DAY_MS,
      forget: rows("artworks", sql.fragment`replaced_at`),
    },
    {
      counts: "forgotten_statistics",
      keptMs: DAY_MS,
      forget: rows("described_stats", sql.fragment`measured_at`, isUndescribed),
    },
    { counts: signIns, keptMs: ENDED_MS, forget: rows("sign_in_links", sql.fragment`expires_at`) },
    { counts: signIns, keptMs: ENDED_MS, forget: rows("email_changes", sql.fragment`expires_at`) },
    {
      counts: signIns,
      keptMs: ENDED_MS,
      forget: rows("invitations", sql.fragment`expires_at`, sql.fragment`owner_id IS NULL`),
    },
    { counts: signIns, keptMs: kept.invitationsMs, forget: rows("invitations", sql.fragment`created_at`) },
    {
      counts: signIns,
      keptMs: ENDED_MS,
      forget: rows("sessions", sql.fragment`LEAST(expires_at, revoked_at)`),
    },
    { counts: signIns, keptMs: 0, forget: rows("passkey_challenges", sql.fragment`expires_at`) },
    { counts: signIns, keptMs: ENDED_MS, forget: rows("oauth_codes", sql.fragment`expires_at`) },
    { counts: signIns, keptMs: ENDED_MS, forget: deleteOldTokens },
    {
      counts: signIns,
      // So long the use of a replaced refresh token is still known as one, and ends its connection.
      keptMs: 30 * DAY_MS,
      forget: rows("oauth_refresh_tokens", sql.fragment`replaced_at`),
    },
    { counts: signIns, keptMs: ENDED_MS, forget: deleteOldGrants },
    {
      counts: signIns,
      keptMs: ENDED_MS,
      forget: rows(
        "oauth_clients",
        sql.fragment`created_at`,
        sql.fragment`kind = 'registered' AND consented_at IS NULL`,
      ),
    },
    // Their document was due to be read again.
    { counts: signIns, keptMs: ENDED_MS, forget: rows("oauth_clients", sql.fragment`fresh_until`) },
  ];
}

/** Whether no file has the dictionary of these statistics any more. */
const isUndescribed = sql.fragment`NOT EXISTS (
  SELECT 1 FROM revision_files f JOIN assets s ON s.id = f.asset_id
  WHERE f.asset_id = described_stats.asset_id AND s.file_deleted_at IS NULL
    AND encode(sha256(convert_to(f.dictionary::text, 'UTF8')), 'hex') = described_stats.dictionary_sha256)`;

type Fragment = ReturnType<typeof sql.fragment>;

function rows(
  table: string,
  time: Fragment,
  condition: Fragment = sql.fragment`true`,
): ExpiringRows["forget"] {
  const name = sql.identifier([table]);
  return async (tx, beforeMs, limit) => {
    const { rowCount } = await tx.query(command`
      DELETE FROM ${name} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${name} WHERE ${time} <= ${at(beforeMs)} AND ${condition}
        ORDER BY ${time} LIMIT ${limit} FOR UPDATE SKIP LOCKED))`);
    return rowCount;
  };
}
