import { z } from "zod";
import { at, sql, type Tx } from "../connection/pool.ts";

/** Ends every token of an agent, but those of connections, which the owner ends one by one; returns as the next does. */
export async function revokeEnrolledTokens(
  tx: Tx,
  agentId: string,
  nowMs: number,
): Promise<readonly string[]> {
  return await revokeTokensWhere(tx, agentId, nowMs, sql.fragment`grant_id IS NULL`);
}

/** Ends every token of an agent, those of connections too; returns the prefixes of those that were valid. */
export async function revokeTokensOfAgent(
  tx: Tx,
  agentId: string,
  nowMs: number,
): Promise<readonly string[]> {
  return await revokeTokensWhere(tx, agentId, nowMs, sql.fragment`true`);
}

/** Ends every token of a connection; returns the prefixes of those that were valid. */
export async function revokeTokensOfGrant(
  tx: Tx,
  agentId: string,
  grantId: string,
  nowMs: number,
): Promise<readonly string[]> {
  return await revokeTokensWhere(tx, agentId, nowMs, sql.fragment`grant_id = ${grantId}`);
}

async function revokeTokensWhere(
  tx: Tx,
  agentId: string,
  nowMs: number,
  condition: ReturnType<typeof sql.fragment>,
): Promise<readonly string[]> {
  const ended = await tx.any(sql.type(EndedRow)`
    UPDATE tokens t SET revoked_at = ${at(nowMs)}
    WHERE agent_id = ${agentId} AND ${condition} AND revoked_at IS NULL
    RETURNING prefix, expires_at IS NULL OR expires_at > ${at(nowMs)} AS was_valid`);
  return ended.filter(({ was_valid }) => was_valid).map(({ prefix }) => prefix);
}

const EndedRow = z.strictObject({ prefix: z.string(), was_valid: z.boolean() });
