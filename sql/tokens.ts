import { z } from "zod";
import { at, command, type Db, Moment, sql, type Tx, texts } from "./pool.ts";

export async function insertToken(
  tx: Tx,
  token: {
    id: string;
    agentId: string;
    secretHash: string;
    prefix: string;
    abilities: readonly string[];
    nowMs: number;
  },
): Promise<void> {
  await tx.query(command`
    INSERT INTO tokens (id, agent_id, secret_hash, prefix, abilities, created_at)
    VALUES (${token.id}, ${token.agentId}, ${token.secretHash}, ${token.prefix}, ${texts(token.abilities)},
      ${at(token.nowMs)})`);
}

export async function countActiveTokens(db: Db, agentId: string, nowMs: number): Promise<number> {
  return await db.oneFirst(sql.type(z.strictObject({ count: z.number() }))`
    SELECT count(*) FROM tokens
    WHERE agent_id = ${agentId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${at(nowMs)})`);
}

/** Shortens a token's life; never lengthens it. */
export async function limitTokenLife(tx: Tx, id: string, expiresMs: number): Promise<number> {
  return await tx.oneFirst(sql.type(z.strictObject({ expires_at: Moment }))`
    UPDATE tokens SET expires_at = LEAST(COALESCE(expires_at, ${at(expiresMs)}), ${at(expiresMs)})
    WHERE id = ${id} RETURNING expires_at`);
}

export async function revokeTokensOfAgent(tx: Tx, agentId: string, nowMs: number): Promise<void> {
  await tx.query(command`
    UPDATE tokens SET revoked_at = ${at(nowMs)} WHERE agent_id = ${agentId} AND revoked_at IS NULL`);
}

/** What the agent's valid tokens may do, together. */
export async function listTokenAbilities(db: Db, agentId: string): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(z.strictObject({ ability: z.string() }))`
    SELECT DISTINCT unnest(abilities) AS ability FROM tokens
    WHERE agent_id = ${agentId} AND revoked_at IS NULL ORDER BY ability`);
}
