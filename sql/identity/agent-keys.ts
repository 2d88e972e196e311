import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";

const AgentKey = z.strictObject({
  kid: z.string(),
  x: z.string(),
  created_at: Timestamp,
  ended_at: Timestamp.nullable(),
});
/** The public half of an Ed25519 key of an agent. */
export type AgentKeyRow = z.infer<typeof AgentKey>;

/** Every key that an agent has had, the oldest first. */
export async function listAgentKeys(db: Db, agentId: string): Promise<readonly AgentKeyRow[]> {
  return await db.any(sql.type(AgentKey)`
    SELECT kid, x, created_at, ended_at FROM agent_keys WHERE agent_id = ${agentId} ORDER BY created_at, kid`);
}

/** Adds keys to an agent, and ends others. */
export async function changeAgentKeys(
  tx: Tx,
  agentId: string,
  change: { added: readonly Pick<AgentKeyRow, "kid" | "x">[]; ended: readonly string[]; nowMs: number },
): Promise<void> {
  const rows = change.added.map(({ kid, x }) => [kid, x]);
  await tx.query(command`
    UPDATE agent_keys SET ended_at = ${at(change.nowMs)}
    WHERE agent_id = ${agentId} AND kid = ANY(${texts(change.ended)})`);
  await tx.query(command`
    INSERT INTO agent_keys (agent_id, kid, x, created_at)
    SELECT ${agentId}, k.kid, k.x, ${at(change.nowMs)}
    FROM ${sql.unnest(rows, ["text", "text"])} AS k (kid, x)`);
}
