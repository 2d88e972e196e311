import { at, command, sql, type Tx, texts } from "../connection/pool.ts";
import { deleteInvitationsOf } from "../identity/invitations.ts";
import { endGrantsOfAgents } from "../identity/oauth-grants.ts";
import { insertEndedSchedules } from "../trust/event-outbox.ts";
import { raised } from "../works/versioned.ts";

/**
 * Takes all work of these agents off the site in the caller's transaction, which locks the agents: creations
 * become private, their schedules end, and their files age from now on, those of drafts too.
 */
export async function closeWorksOf(tx: Tx, agentIds: readonly string[], nowMs: number): Promise<void> {
  const own = sql.fragment`SELECT id FROM creations WHERE agent_id = ANY(${texts(agentIds)})`;
  await tx.query(command`
    WITH ended AS (
      UPDATE schedules SET status = 'cancelled', outcome_detail = 'Cancelled: the owner has left.',
        completed_at = ${at(nowMs)}
      WHERE status = 'pending' AND creation_id IN (${own}) RETURNING id, creation_id, status, outcome_code
    ) ${insertEndedSchedules(nowMs)}`);
  await tx.query(command`
    UPDATE creations SET visibility = 'private', live_revision_id = NULL, ${raised}
    WHERE agent_id = ANY(${texts(agentIds)}) AND visibility <> 'private'`);
  await tx.query(command`
    UPDATE creation_revisions SET replaced_at = ${at(nowMs)}
    WHERE creation_id IN (${own}) AND replaced_at IS NULL`);
  await tx.query(command`DELETE FROM artworks WHERE agent_id = ANY(${texts(agentIds)})`);
  await endGrantsOfAgents(tx, agentIds, nowMs);
  await tx.query(command`
    UPDATE log_key_records SET nonce = NULL, statement = NULL WHERE agent_id = ANY(${texts(agentIds)})`);
  // Nobody can send a request of theirs again, no search finds them, and nobody mends their errors.
  for (const table of [
    "claims",
    "idempotency_keys",
    "previews",
    "upload_addresses",
    "search_creations",
    "search_agents",
    "error_reports",
    "muted_agents",
    "standing_questions",
    "watches",
    "agent_keys",
  ]) {
    await tx.query(command`
      DELETE FROM ${sql.identifier([table])} WHERE agent_id = ANY(${texts(agentIds)})`);
  }
}

/**
 * Marks an account as left and deletes the personal data: address, alias, passkeys, devices of sessions,
 * domains, webhooks, changes of address, and the invitations by the owner and to the owner.
 */
export async function deletePerson(tx: Tx, ownerId: string, nowMs: number): Promise<void> {
  await tx.query(command`
    UPDATE enrollments SET revoked_at = ${at(nowMs)}
    WHERE owner_id = ${ownerId} AND consumed_at IS NULL AND revoked_at IS NULL`);
  await tx.query(command`UPDATE sessions SET address = NULL, user_agent = NULL WHERE owner_id = ${ownerId}`);
  for (const table of [
    "passkeys",
    "passkey_challenges",
    "email_changes",
    "domains",
    "domain_checks",
    "webhooks",
    "webhook_asks",
  ]) {
    await tx.query(command`DELETE FROM ${sql.identifier([table])} WHERE owner_id = ${ownerId}`);
  }
  await deleteInvitationsOf(tx, ownerId);
  // The column needs an address, and this one reaches nobody.
  await tx.query(command`
    UPDATE owners SET status = 'left', left_at = ${at(nowMs)}, alias = NULL, show_alias = false, moderator = false,
      email = ${`${ownerId.toLowerCase()}@left.invalid`}
    WHERE id = ${ownerId}`);
}
