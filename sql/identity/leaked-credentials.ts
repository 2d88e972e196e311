import { z } from "zod";
import { at, type Db, Id, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";
import { isLiveGrant } from "./oauth-grants.ts";
import { isValidToken } from "./tokens.ts";

/** Refresh tokens that are taken now: each connection's newest, and for a minute the one before it. */
function isTaken(nowMs: number) {
  return sql.fragment`(r.replaced_at IS NULL OR r.replaced_at > ${at(nowMs - 60_000)})`;
}

function isOpenCode(nowMs: number) {
  return sql.fragment`revoked_at IS NULL AND consumed_at IS NULL AND expires_at > ${at(nowMs)}`;
}

const Found = z.strictObject({
  hash: z.string(),
  kind: z.enum(["token", "refresh", "code"]),
  agent_id: z.string().nullable(),
});

/**
 * Those of these hashes that belong to a working access token, refresh token or enrolment code, with the agent of a token
 * of either kind.
 */
export async function findLeakedCredentials(db: Db, hashes: readonly string[], nowMs: number) {
  return await db.any(sql.type(Found)`
    SELECT hash, kind, agent_id FROM (
      SELECT t.secret_hash AS hash, 'token' AS kind, t.agent_id FROM tokens t WHERE ${isValidToken(nowMs)}
      UNION ALL
      SELECT r.secret_hash, 'refresh', g.agent_id FROM oauth_refresh_tokens r JOIN oauth_grants g ON g.id = r.grant_id
      WHERE ${isTaken(nowMs)} AND ${isLiveGrant(nowMs)}
      UNION ALL
      SELECT code_hash, 'code', NULL FROM enrollments WHERE ${isOpenCode(nowMs)}
    ) live WHERE hash = ANY(${texts(hashes)})`);
}

const EndedRow = z.strictObject({ id: z.string(), owner_id: z.string() });

const EndedTokenRow = EndedRow.extend({ agent_id: z.string(), handle: z.string(), prefix: z.string() });
/** A token that was ended, and whose it was. */
export type EndedTokenRow = z.infer<typeof EndedTokenRow>;

/** Ends the working tokens of these hashes. The caller holds the locks of their agents. */
export async function revokeTokensByHash(tx: Tx, hashes: readonly string[], nowMs: number) {
  return await tx.any(sql.type(EndedTokenRow)`
    UPDATE tokens t SET revoked_at = ${at(nowMs)} FROM agents a
    WHERE t.secret_hash = ANY(${texts(hashes)}) AND ${isValidToken(nowMs)} AND a.id = t.agent_id
    RETURNING t.id, a.owner_id, t.agent_id, a.handle, t.prefix`);
}

const LeakedGrantRow = z.strictObject({
  grant_id: z.string(),
  token_id: z.string(),
  prefix: z.string(),
  owner_id: z.string(),
  handle: z.string(),
});
/** A connection whose refresh token leaked, with that token. */
export type LeakedGrantRow = z.infer<typeof LeakedGrantRow>;

/** The connections whose refresh tokens, among those of these hashes, work. The caller holds the locks of their agents. */
export async function listLeakedGrants(tx: Tx, hashes: readonly string[], nowMs: number) {
  return await tx.any(sql.type(LeakedGrantRow)`
    SELECT g.id AS grant_id, r.id AS token_id, r.prefix, a.owner_id, a.handle
    FROM oauth_refresh_tokens r JOIN oauth_grants g ON g.id = r.grant_id JOIN agents a ON a.id = g.agent_id
    WHERE r.secret_hash = ANY(${texts(hashes)}) AND ${isTaken(nowMs)} AND ${isLiveGrant(nowMs)}`);
}

const EndedCodeRow = EndedRow.extend({ agent_id: z.string().nullable() });
/** An enrolment whose code was ended, and its owner; the agent where it was to reconnect one. */
export type EndedCodeRow = z.infer<typeof EndedCodeRow>;

/** Ends the codes of these hashes that can still be redeemed. */
export async function revokeEnrollmentsByHash(tx: Tx, hashes: readonly string[], nowMs: number) {
  return await tx.any(sql.type(EndedCodeRow)`
    UPDATE enrollments e SET revoked_at = ${at(nowMs)}
    FROM (
      SELECT id FROM enrollments WHERE code_hash = ANY(${texts(hashes)}) AND ${isOpenCode(nowMs)}
      ORDER BY id FOR UPDATE) live
    WHERE e.id = live.id RETURNING e.id, e.owner_id, e.agent_id`);
}

/** Locks agents as `lockAgent` does, in the order of their ids: two requests about the same ones take turns. */
export async function lockAgentsInOrder(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.any(sql.type(Id)`
    SELECT a.id FROM agents a JOIN owners o ON o.id = a.owner_id
    WHERE a.id = ANY(${texts(ids)}) ORDER BY a.id FOR NO KEY UPDATE OF a FOR SHARE OF o`);
}

const LeakedTokenRow = z.strictObject({ prefix: z.string(), ended_at: Timestamp });

/** The tokens of an agent that were ended since a time because somebody had found them, the last one first. */
export async function listLeakedTokensOf(db: Db, agentId: string, sinceMs: number) {
  return await db.any(sql.type(LeakedTokenRow)`
    SELECT detail ->> 'prefix' AS prefix, at AS ended_at FROM audit_log
    WHERE agent_id = ${agentId} AND action = 'token.leaked' AND at >= ${at(sinceMs)}
    ORDER BY id DESC LIMIT 20`);
}
