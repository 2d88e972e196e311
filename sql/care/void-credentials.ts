import type pg from "pg";
import { RESTORED_AT } from "../platform/service-settings.ts";
import { raised } from "../works/versioned.ts";

/** How many of each a database lost. */
export type VoidedCredentials = Awaited<ReturnType<typeof voidCredentials>>;

/**
 * Ends every session, sign-in link, change of address, invitation, enrolment code and token in the client's transaction, all of them
 * as of a timestamp, and with the tokens the addresses for uploads; preview links, webhooks and connections, too. The keys of the service go; it makes new ones.
 */
export async function voidCredentials(client: pg.Client, nowMs: number) {
  const end = async (statement: string) => (await client.query(statement, [nowMs / 1000])).rowCount ?? 0;
  // Whoever reads a backup must not know what the service derives from now on.
  await client.query("DELETE FROM service_keys");
  await end("UPDATE previews SET ended_at = to_timestamp($1) WHERE ended_at IS NULL");
  // Receivers are asked anew, as some may have been removed after the backup.
  await end(
    "UPDATE webhooks SET status = 'disabled', status_reason = 'restored', status_at = to_timestamp($1), failing_since = NULL, resting_until = NULL WHERE status IN ('active', 'unverified')",
  );
  // A refresh token would make new access tokens. What is no credential, such as a client, stays.
  await client.query("DELETE FROM oauth_codes");
  await client.query("DELETE FROM oauth_refresh_tokens");
  await end(
    "UPDATE oauth_grants SET ended_at = to_timestamp($1), ended_by = 'service' WHERE ended_at IS NULL",
  );
  await end("UPDATE email_changes SET used_at = to_timestamp($1) WHERE used_at IS NULL");
  await end(
    "UPDATE invitations SET revoked_at = to_timestamp($1) WHERE used_at IS NULL AND revoked_at IS NULL AND expires_at > to_timestamp($1)",
  );
  return {
    sessions: await end("UPDATE sessions SET revoked_at = to_timestamp($1) WHERE revoked_at IS NULL"),
    sign_in_links: await end("UPDATE sign_in_links SET used_at = to_timestamp($1) WHERE used_at IS NULL"),
    codes: await end(
      "UPDATE enrollments SET revoked_at = to_timestamp($1) WHERE consumed_at IS NULL AND revoked_at IS NULL",
    ),
    tokens: await end("UPDATE tokens SET revoked_at = to_timestamp($1) WHERE revoked_at IS NULL"),
  };
}

/**
 * Has the service stand still in the client's transaction, as of a timestamp: nobody knows what was done since the backup.
 * Logs sign no more, nor does the witness of others, what waited for webhooks ends, as most of it arrived, and so does every pending schedule, as its agent
 * may have cancelled it.
 */
export async function standStill(client: pg.Client, nowMs: number): Promise<void> {
  const now = new Date(nowMs).toISOString();
  await client.query("UPDATE logs SET restored_at = $1", [now]);
  // A backup of before has no such table, nor anything that was cosigned.
  const { rows } = await client.query("SELECT to_regclass('witnessed_logs') IS NOT NULL AS is_there");
  if (rows[0]?.is_there) await client.query("UPDATE witnessed_logs SET restored_at = $1", [now]);
  await client.query(
    "UPDATE webhook_deliveries SET state = 'failed', failure = 'restored', claimed_until = NULL WHERE state = 'waiting'",
  );
  await client.query(
    `WITH ended AS (
       UPDATE schedules SET status = 'cancelled', completed_at = $1, outcome_detail = 'Cancelled by a restore: set it again.'
       WHERE status = 'pending' RETURNING creation_id
     )
     UPDATE creations SET ${raised.sql} WHERE id IN (SELECT creation_id FROM ended)`,
    [now],
  );
  await client.query(
    `INSERT INTO service_settings (name, value, changed_at) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value, changed_at = EXCLUDED.changed_at`,
    [RESTORED_AT, now, now],
  );
}
