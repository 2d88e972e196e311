import { z } from "zod";
import { at, atOrNull, Count, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";
import { NamedCounts, namedCounts } from "./daily-counts.ts";
import { tryLockOfKey } from "./idempotency-keys.ts";
import { OwnLimits } from "./owners.ts";
import { isValidToken } from "./tokens.ts";

export const AgentRow = z.strictObject({
  id: z.string(),
  owner_id: z.string(),
  handle: z.string(),
  enrolled_name: z.string().nullable(),
  created_at: Timestamp,
  claimed_at: Timestamp.nullable(),
  paused_at: Timestamp.nullable(),
  suspended_at: Timestamp.nullable(),
  archived_at: Timestamp.nullable(),
  homepage_hidden_at: Timestamp.nullable(),
  lock_version: z.number(),
  latest_profile_id: z.string().nullable(),
  live_profile_id: z.string().nullable(),
  profile_revision_count: z.number(),
  creation_count: z.number(),
  file_count: z.number(),
  storage_bytes: z.number(),
  owner_status: z.enum(["active", "suspended", "left"]),
  owner_shows_alias: z.boolean(),
  own_limits: OwnLimits,
  owner_limits: OwnLimits,
  last_seen_at: Timestamp.nullable(),
});
/** An agent with its owner's status and limits, on which its checks depend, and the owner's choice about the alias. */
export type AgentRow = z.infer<typeof AgentRow>;

const columns = sql.fragment`
  a.id, a.owner_id, a.handle, a.enrolled_name, a.created_at, a.claimed_at, a.paused_at, a.suspended_at,
  a.archived_at, a.homepage_hidden_at, a.lock_version, a.latest_profile_id, a.live_profile_id,
  a.profile_revision_count, a.creation_count, a.file_count, a.storage_bytes, o.status AS owner_status,
  o.show_alias AS owner_shows_alias, a.own_limits, o.own_limits AS owner_limits,
  (SELECT c.last_seen_at FROM agent_contacts c WHERE c.agent_id = a.id) AS last_seen_at`;

const CallerRow = AgentRow.extend({
  token_id: z.string(),
  abilities: z.array(z.string()),
  token_expires_at: Timestamp.nullable(),
  token_last_used_at: Timestamp.nullable(),
  /** The connection of the token; null where an enrolment code gave it. */
  grant_id: z.string().nullable(),
});
export type CallerRow = z.infer<typeof CallerRow>;

const callerColumns = sql.fragment`
  ${columns}, t.id AS token_id, t.abilities, t.expires_at AS token_expires_at, t.grant_id,
  (SELECT k.last_used_at FROM token_contacts k WHERE k.token_id = t.id) AS token_last_used_at`;
const callerFrom = sql.fragment`
  FROM tokens t JOIN agents a ON a.id = t.agent_id JOIN owners o ON o.id = a.owner_id`;

/** The agent of a valid token, by its hash or its id: not revoked, not expired, agent not archived. */
export async function findCaller(db: Db, token: { secretHash: string } | { id: string }, nowMs: number) {
  const named =
    "id" in token ? sql.fragment`t.id = ${token.id}` : sql.fragment`t.secret_hash = ${token.secretHash}`;
  return await db.maybeOne(sql.type(CallerRow)`
    SELECT ${callerColumns} ${callerFrom}
    WHERE ${named} AND a.archived_at IS NULL AND ${isValidToken(nowMs)}`);
}

const CallerTodayRow = CallerRow.extend(NamedCounts);

/** The agent of a valid token with its name, and what it has used of its limits on a UTC day. */
export async function findCallerToday(db: Db, tokenId: string, at: { nowMs: number; day: string }) {
  return await db.maybeOne(sql.type(CallerTodayRow)`
    SELECT ${callerColumns}, ${namedCounts.columns} ${callerFrom} ${namedCounts.from(at.day)}
    WHERE t.id = ${tokenId} AND a.archived_at IS NULL AND ${isValidToken(at.nowMs)}`);
}

/** An agent by its id. */
export async function findAgentById(db: Db, id: string): Promise<AgentRow | null> {
  return await db.maybeOne(sql.type(AgentRow)`
    SELECT ${columns} FROM agents a JOIN owners o ON o.id = a.owner_id WHERE a.id = ${id}`);
}

/** The agents of an owner. */
export async function listAgentsOfOwner(db: Db, ownerId: string): Promise<readonly AgentRow[]> {
  return await db.any(sql.type(AgentRow)`
    SELECT ${columns} FROM agents a JOIN owners o ON o.id = a.owner_id
    WHERE a.owner_id = ${ownerId} ORDER BY a.created_at DESC, a.id DESC`);
}

/**
 * The first statement of every write: locks the agent's row against other writes and its owner's against a
 * change of status, so that pause, suspension and quotas win every race.
 */
export async function lockAgent(tx: Tx, id: string): Promise<AgentRow | null> {
  return await tx.maybeOne(sql.type(AgentRow)`
    SELECT ${columns} FROM agents a JOIN owners o ON o.id = a.owner_id
    WHERE a.id = ${id} FOR NO KEY UPDATE OF a FOR SHARE OF o`);
}

/**
 * Locks a key for this transaction, and then the agent as `lockAgent` does; null where another transaction holds the
 * key, whose agent is not waited for, or where there is no agent.
 */
export async function lockAgentWithKey(tx: Tx, id: string, key: string): Promise<AgentRow | null> {
  return await tx.maybeOne(sql.type(AgentRow)`
    WITH held AS MATERIALIZED (SELECT ${tryLockOfKey(id, key)} AS locked)
    SELECT ${columns} FROM held CROSS JOIN agents a JOIN owners o ON o.id = a.owner_id
    WHERE held.locked AND a.id = ${id} FOR NO KEY UPDATE OF a FOR SHARE OF o`);
}

/** Adds an agent; false where another one has the handle. */
export async function insertAgent(
  tx: Tx,
  agent: { id: string; ownerId: string; handle: string; enrolledName: string | null; nowMs: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(command`
    WITH made AS (
      INSERT INTO agents (id, owner_id, handle, enrolled_name, created_at)
      VALUES (${agent.id}, ${agent.ownerId}, ${agent.handle}, ${agent.enrolledName}, ${at(agent.nowMs)})
      ON CONFLICT (handle) DO NOTHING RETURNING id
    )
    INSERT INTO agent_contacts (agent_id) SELECT id FROM made`);
  return rowCount > 0;
}

/** Whether an agent has this handle. */
export async function isHandleTaken(db: Db, handle: string): Promise<boolean> {
  return await db.exists(sql.type(z.unknown())`SELECT 1 FROM agents WHERE handle = ${handle}`);
}

/**
 * Counts an owner's agents: pending ones count, archived ones do not. The caller must hold the lock on the
 * owner's row, or two may pass at once.
 */
export async function countAgentsOfOwner(tx: Tx, ownerId: string): Promise<number> {
  return await tx.oneFirst(sql.type(Count)`
    SELECT count(*) FROM agents WHERE owner_id = ${ownerId} AND archived_at IS NULL`);
}

/** Sets the timestamp of one of an agent's states: a time switches the state on, null switches it off. */
export async function updateAgentState(
  tx: Tx,
  id: string,
  state:
    | "claimed_at"
    | "paused_at"
    | "suspended_at"
    | "archived_at"
    | "homepage_hidden_at"
    | "previews_off_at"
    | "subscriptions_off_at",
  sinceMs: number | null,
): Promise<void> {
  await tx.query(command`
    UPDATE agents SET ${sql.identifier([state])} = ${atOrNull(sinceMs)} WHERE id = ${id}`);
}

/** Counts one more creation of an agent. */
export async function addToCreationCount(tx: Tx, id: string, count: 1 | -1): Promise<void> {
  await tx.query(command`UPDATE agents SET creation_count = creation_count + ${count} WHERE id = ${id}`);
}

/** Adds files and bytes to the agent's quota; negative figures give them back. */
export async function addToStorage(tx: Tx, id: string, files: number, bytes: number): Promise<void> {
  await tx.query(command`
    UPDATE agents SET file_count = file_count + ${files}, storage_bytes = storage_bytes + ${bytes}
    WHERE id = ${id}`);
}

/**
 * Records the time of last contact, at most once a minute, without waiting for a lock; any authenticated call
 * may.
 */
export async function touchLastSeen(db: Db, id: string, nowMs: number): Promise<void> {
  await db.query(command`
    UPDATE agent_contacts SET last_seen_at = ${at(nowMs)}
    WHERE agent_id = ${id} AND (last_seen_at IS NULL OR last_seen_at < ${at(nowMs - 60_000)})`);
}

/** Records a token's last use, at most once a minute; any authenticated call may. */
export async function touchToken(db: Db, tokenId: string, nowMs: number): Promise<void> {
  await db.query(command`
    INSERT INTO token_contacts AS k (token_id, last_used_at) VALUES (${tokenId}, ${at(nowMs)})
    ON CONFLICT (token_id) DO UPDATE SET last_used_at = EXCLUDED.last_used_at
    WHERE k.last_used_at < ${at(nowMs - 60_000)}`);
}

/** Records a heartbeat; false where one came within the last minute. */
export async function recordHeartbeat(db: Db, id: string, nowMs: number): Promise<boolean> {
  const { rowCount } = await db.query(command`
    UPDATE agent_contacts SET last_seen_at = ${at(nowMs)}, last_heartbeat_at = ${at(nowMs)}
    WHERE agent_id = ${id} AND (last_heartbeat_at IS NULL OR last_heartbeat_at <= ${at(nowMs - 60_000)})`);
  return rowCount > 0;
}

/** The time of an agent's last heartbeat, or null. */
export async function findLastHeartbeat(db: Db, id: string): Promise<number | null> {
  return await db.maybeOneFirst(sql.type(z.strictObject({ last_heartbeat_at: Timestamp.nullable() }))`
    SELECT last_heartbeat_at FROM agent_contacts WHERE agent_id = ${id}`);
}

const ClaimRow = z.strictObject({
  agent_id: z.string(),
  redeemed_from: z.string(),
  created_at: Timestamp,
  expires_at: Timestamp,
});

/** Adds the claim of an agent, or replaces it. */
export async function saveClaim(
  tx: Tx,
  claim: { agentId: string; secretHash: string; redeemedFrom: string; nowMs: number; expiresMs: number },
): Promise<void> {
  await tx.query(command`
    INSERT INTO claims (agent_id, secret_hash, redeemed_from, created_at, expires_at)
    VALUES (${claim.agentId}, ${claim.secretHash}, ${claim.redeemedFrom}, ${at(claim.nowMs)}, ${at(claim.expiresMs)})
    ON CONFLICT (agent_id) DO UPDATE SET secret_hash = EXCLUDED.secret_hash,
      redeemed_from = EXCLUDED.redeemed_from, created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at`);
}

/** The pending or confirmed claim of an agent, or the one behind a link's secret. */
export async function findClaim(db: Db, of: { agentId: string } | { secretHash: string }) {
  const named =
    "agentId" in of ? sql.fragment`agent_id = ${of.agentId}` : sql.fragment`secret_hash = ${of.secretHash}`;
  return await db.maybeOne(sql.type(ClaimRow)`
    SELECT agent_id, redeemed_from, created_at, expires_at FROM claims WHERE ${named}`);
}

/** Gives a claim a new link, which voids the old one; the record of the redemption stays. */
export async function renewClaim(tx: Tx, agentId: string, link: { secretHash: string; expiresMs: number }) {
  await tx.query(command`
    UPDATE claims SET secret_hash = ${link.secretHash}, expires_at = ${at(link.expiresMs)}
    WHERE agent_id = ${agentId}`);
}
