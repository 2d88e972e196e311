import { z } from "zod";
import { at, command, type Db, Id, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";

/** The connection that a secret belongs to, and its agent. */
const GrantOfSecret = z.strictObject({ grant_id: z.string(), agent_id: z.string() });

/** Adds the code of a connection. */
export async function insertCode(
  tx: Tx,
  code: Omit<CodeRow, "used_at"> & { secret_hash: string; grant_id: string; created_at: number },
): Promise<void> {
  await tx.query(command`
    INSERT INTO oauth_codes (secret_hash, grant_id, redirect_uri, challenge, created_at, expires_at)
    VALUES (${code.secret_hash}, ${code.grant_id}, ${code.redirect_uri}, ${code.challenge}, ${at(code.created_at)},
      ${at(code.expires_at)})`);
}

/** The connection of a code, used or not, or of a refresh token, replaced or not. */
export async function findGrantOfSecret(
  db: Db,
  table: "oauth_codes" | "oauth_refresh_tokens",
  secretHash: string,
) {
  return await db.maybeOne(sql.type(GrantOfSecret)`
    SELECT s.grant_id, g.agent_id FROM ${sql.identifier([table])} s JOIN oauth_grants g ON g.id = s.grant_id
    WHERE s.secret_hash = ${secretHash}`);
}

const CodeRow = z.strictObject({
  redirect_uri: z.string(),
  challenge: z.string(),
  expires_at: Timestamp,
  used_at: Timestamp.nullable(),
});
/** A code, without its secret. */
export type CodeRow = z.infer<typeof CodeRow>;

/** A code as it stands. The caller holds the agent's lock, so nobody else uses it meanwhile. */
export async function findCode(tx: Tx, secretHash: string): Promise<CodeRow | null> {
  return await tx.maybeOne(sql.type(CodeRow)`
    SELECT redirect_uri, challenge, expires_at, used_at FROM oauth_codes WHERE secret_hash = ${secretHash}`);
}

/** Marks a code as used. */
export async function markCodeUsed(tx: Tx, secretHash: string, nowMs: number): Promise<void> {
  await tx.query(command`UPDATE oauth_codes SET used_at = ${at(nowMs)} WHERE secret_hash = ${secretHash}`);
}

/** Adds a refresh token. */
export async function insertRefreshToken(
  tx: Tx,
  token: { id: string; secretHash: string; grantId: string; prefix: string; salt: string; nowMs: number },
): Promise<void> {
  await tx.query(command`
    INSERT INTO oauth_refresh_tokens (secret_hash, id, grant_id, prefix, salt, created_at)
    VALUES (${token.secretHash}, ${token.id}, ${token.grantId}, ${token.prefix}, ${token.salt}, ${at(token.nowMs)})`);
}

const RefreshTokenRow = z.strictObject({
  id: z.string(),
  prefix: z.string(),
  salt: z.string(),
  replaced_at: Timestamp.nullable(),
  retaken_at: Timestamp.nullable(),
});
/** A refresh token, without its secret. */
export type RefreshTokenRow = z.infer<typeof RefreshTokenRow>;

/** A refresh token as it stands. The caller holds the agent's lock, so nobody else uses it meanwhile. */
export async function findRefreshToken(tx: Tx, secretHash: string): Promise<RefreshTokenRow | null> {
  return await tx.maybeOne(sql.type(RefreshTokenRow)`
    SELECT id, prefix, salt, replaced_at, retaken_at FROM oauth_refresh_tokens WHERE secret_hash = ${secretHash}`);
}

/** Marks a refresh token as replaced by its successor, or as taken once more. */
export async function markRefreshToken(
  tx: Tx,
  id: string,
  mark: "replaced_at" | "retaken_at",
  nowMs: number,
): Promise<void> {
  await tx.query(command`
    UPDATE oauth_refresh_tokens SET ${sql.identifier([mark])} = ${at(nowMs)} WHERE id = ${id}`);
}

const OAuthTokenRow = z.strictObject({ abilities: z.array(z.string()), expires_at: Timestamp });

/** The access token of a connection by its hash, while it works. */
export async function findTokenOfGrant(tx: Tx, grantId: string, secretHash: string, nowMs: number) {
  return await tx.maybeOne(sql.type(OAuthTokenRow)`
    SELECT abilities, expires_at FROM tokens
    WHERE secret_hash = ${secretHash} AND grant_id = ${grantId} AND revoked_at IS NULL
      AND expires_at > ${at(nowMs)}`);
}

/** The connection of an access token, working or not; null for one that no connection made. */
export async function findGrantOfToken(db: Db, secretHash: string) {
  return await db.maybeOne(sql.type(GrantOfSecret.extend({ token_id: z.string() }))`
    SELECT t.grant_id, t.agent_id, t.id AS token_id FROM tokens t
    WHERE t.secret_hash = ${secretHash} AND t.grant_id IS NOT NULL`);
}

/**
 * Deletes at most `limit` access tokens of connections that expired before a timestamp, but those with an address for an
 * upload; returns the count.
 */
export async function deleteOldTokens(tx: Tx, beforeMs: number, limit: number): Promise<number> {
  const ids = await tx.anyFirst(sql.type(Id)`
    SELECT t.id FROM tokens t
    WHERE t.grant_id IS NOT NULL AND t.expires_at <= ${at(beforeMs)}
      AND NOT EXISTS (SELECT 1 FROM upload_addresses u WHERE u.token_id = t.id)
    LIMIT ${limit} FOR UPDATE SKIP LOCKED`);
  await tx.query(command`DELETE FROM token_contacts WHERE token_id = ANY(${texts(ids)})`);
  await tx.query(command`DELETE FROM tokens WHERE id = ANY(${texts(ids)})`);
  return ids.length;
}

/** Deletes at most `limit` connections without tokens that ended or expired before a timestamp; returns the count. */
export async function deleteOldGrants(tx: Tx, beforeMs: number, limit: number): Promise<number> {
  const ids = await tx.anyFirst(sql.type(Id)`
    SELECT g.id FROM oauth_grants g
    WHERE (g.ended_at <= ${at(beforeMs)} OR g.expires_at <= ${at(beforeMs)}
      OR (g.connected_at IS NULL AND g.created_at <= ${at(beforeMs)}))
      AND NOT EXISTS (SELECT 1 FROM tokens t WHERE t.grant_id = g.id)
    LIMIT ${limit} FOR UPDATE SKIP LOCKED`);
  await tx.query(command`DELETE FROM oauth_codes WHERE grant_id = ANY(${texts(ids)})`);
  await tx.query(command`DELETE FROM oauth_refresh_tokens WHERE grant_id = ANY(${texts(ids)})`);
  await tx.query(command`DELETE FROM oauth_grants WHERE id = ANY(${texts(ids)})`);
  return ids.length;
}
