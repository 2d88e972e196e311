import { z } from "zod";
import { at, atOrNull, Count, command, type Db, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";

/** The condition of a token that is valid at a time: neither revoked nor expired. */
export function isValidToken(nowMs: number) {
  return sql.fragment`t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > ${at(nowMs)})`;
}

/** Adds a token. */
export async function insertToken(
  tx: Tx,
  token: {
    id: string;
    agentId: string;
    secretHash: string;
    prefix: string;
    abilities: readonly string[];
    /** The end that the owner gave the token before it. */
    ownerExpiresMs: number | null;
    /** The connection that the token belongs to; left out for one that an enrolment code gave. */
    grantId?: string;
    nowMs: number;
  },
): Promise<void> {
  const end = atOrNull(token.ownerExpiresMs);
  await tx.query(command`
    INSERT INTO tokens (id, agent_id, secret_hash, prefix, abilities, expires_at, owner_expires_at, grant_id,
      created_at)
    VALUES (${token.id}, ${token.agentId}, ${token.secretHash}, ${token.prefix}, ${texts(token.abilities)},
      ${end}, ${end}, ${token.grantId ?? null}, ${at(token.nowMs)})`);
}

const LiveTokenRow = z.strictObject({ owner_expires_at: Timestamp.nullable() });

/** A token that is valid now; null for one that was revoked or has expired. */
export async function findLiveToken(tx: Tx, id: string, nowMs: number) {
  return await tx.maybeOne(sql.type(LiveTokenRow)`
    SELECT t.owner_expires_at FROM tokens t WHERE t.id = ${id} AND ${isValidToken(nowMs)}`);
}

/** How many valid tokens an agent has, but those of connections. */
export async function countActiveTokens(db: Db, agentId: string, nowMs: number): Promise<number> {
  return await db.oneFirst(sql.type(Count)`
    SELECT count(*) FROM tokens t WHERE t.agent_id = ${agentId} AND t.grant_id IS NULL AND ${isValidToken(nowMs)}`);
}

/** Shortens a token's life and never lengthens it; returns the time of its end. */
export async function limitTokenLife(tx: Tx, id: string, expiresMs: number): Promise<number> {
  return await tx.oneFirst(sql.type(z.strictObject({ expires_at: Timestamp }))`
    UPDATE tokens SET expires_at = LEAST(COALESCE(expires_at, ${at(expiresMs)}), ${at(expiresMs)})
    WHERE id = ${id} RETURNING expires_at`);
}

/** A token as its owner sees it, without the secret, which is not stored. */
const TokenRow = z.strictObject({
  id: z.string(),
  agent_id: z.string(),
  prefix: z.string(),
  abilities: z.array(z.string()),
  created_at: Timestamp,
  expires_at: Timestamp.nullable(),
  last_used_at: Timestamp.nullable(),
});

const columns = sql.fragment`
  t.id, t.agent_id, t.prefix, t.abilities, t.created_at, t.expires_at,
  (SELECT k.last_used_at FROM token_contacts k WHERE k.token_id = t.id) AS last_used_at`;

/** The valid tokens of an agent, but those of connections, newest first. */
export async function listActiveTokens(db: Db, agentId: string, nowMs: number) {
  return await db.any(sql.type(TokenRow)`
    SELECT ${columns} FROM tokens t
    WHERE t.agent_id = ${agentId} AND t.grant_id IS NULL AND ${isValidToken(nowMs)}
    ORDER BY t.created_at DESC, t.id DESC`);
}

/** Ends a valid token and returns its prefix; null where there is none. */
export async function revokeToken(tx: Tx, agentId: string, id: string, nowMs: number) {
  return await tx.maybeOneFirst(sql.type(z.strictObject({ prefix: z.string() }))`
    UPDATE tokens SET revoked_at = ${at(nowMs)}
    WHERE id = ${id} AND agent_id = ${agentId} AND revoked_at IS NULL RETURNING prefix`);
}

/** Sets the expiry of a valid token, or none; false where there is no such token. */
export async function setTokenExpiry(
  tx: Tx,
  token: { agentId: string; id: string; expiresMs: number | null; nowMs: number },
): Promise<boolean> {
  const end = atOrNull(token.expiresMs);
  const { rowCount } = await tx.query(command`
    UPDATE tokens AS t SET expires_at = ${end}, owner_expires_at = ${end}
    WHERE t.id = ${token.id} AND t.agent_id = ${token.agentId} AND t.grant_id IS NULL AND ${isValidToken(token.nowMs)}`);
  return rowCount > 0;
}

/** The abilities of the newest token that an agent enrolled with, valid or not; null where it never had one. */
export async function findLatestAbilities(db: Db, agentId: string): Promise<readonly string[] | null> {
  return await db.maybeOneFirst(sql.type(z.strictObject({ abilities: z.array(z.string()) }))`
    SELECT abilities FROM tokens WHERE agent_id = ${agentId} AND grant_id IS NULL ORDER BY created_at DESC, id DESC LIMIT 1`);
}

const EveryTokenRow = TokenRow.extend({ revoked_at: Timestamp.nullable() });

/** Every token that is on record of an agent, oldest first. */
export async function listTokensOf(db: Db, agentId: string) {
  return await db.any(sql.type(EveryTokenRow)`
    SELECT ${columns}, t.revoked_at FROM tokens t WHERE t.agent_id = ${agentId} ORDER BY t.created_at, t.id`);
}

/**
 * Ends every token of an agent, only those that no connection has, or those of one connection; returns the prefixes of
 * those that were valid.
 */
export async function revokeTokens(
  tx: Tx,
  agentId: string,
  which: "all" | "enrolled" | { grantId: string },
  nowMs: number,
): Promise<readonly string[]> {
  const ofGrant = which === "enrolled" ? sql.fragment`grant_id IS NULL` : sql.fragment`true`;
  const condition = typeof which === "string" ? ofGrant : sql.fragment`grant_id = ${which.grantId}`;
  const ended = await tx.any(sql.type(EndedRow)`
    UPDATE tokens t SET revoked_at = ${at(nowMs)}
    WHERE agent_id = ${agentId} AND ${condition} AND revoked_at IS NULL
    RETURNING prefix, expires_at IS NULL OR expires_at > ${at(nowMs)} AS was_valid`);
  return ended.filter(({ was_valid }) => was_valid).map(({ prefix }) => prefix);
}

const EndedRow = z.strictObject({ prefix: z.string(), was_valid: z.boolean() });
