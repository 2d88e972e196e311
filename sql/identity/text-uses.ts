import { z } from "zod";
import { at, command, type Db, sql, type Tx } from "../connection/pool.ts";

const Use = z.strictObject({ bytes: z.number(), rows: z.number() });

/** What the texts of an agent take, and what is made of them, as part of a statement. */
export function textUseOf(agentId: ReturnType<typeof sql.fragment>) {
  return sql.fragment`(SELECT coalesce(sum(u.bytes), 0)::bigint FROM text_uses u WHERE u.agent_id = ${agentId})`;
}

/** So many rows of an agent are added up with each save; more are made one. */
const MOST_ROWS = 50;

/**
 * What the texts of an agent take now. A save asks once it holds its agent: the row that it waited for was read before
 * the save that it waited for.
 */
export async function findTextUse(db: Db, agentId: string): Promise<number> {
  const { bytes, rows } = await db.one(sql.type(Use)`
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes, count(*) AS rows FROM text_uses WHERE agent_id = ${agentId}`);
  if (rows > MOST_ROWS) await joinTextUses(db, agentId);
  return bytes;
}

/** Makes one row of those that count the texts of an agent, but for what another transaction makes one. */
async function joinTextUses(db: Db, agentId: string): Promise<void> {
  await db.query(command`
    WITH gone AS (DELETE FROM text_uses WHERE id = ANY(ARRAY(
        SELECT id FROM text_uses WHERE agent_id = ${agentId} FOR UPDATE SKIP LOCKED)) RETURNING bytes)
    INSERT INTO text_uses (agent_id, bytes) SELECT ${agentId}, sum(bytes) FROM gone HAVING count(*) > 0`);
}

const Counted = z.strictObject({
  seen_to: z.number(),
  creations: z.array(z.string()),
  profiles: z.array(z.string()),
});

/**
 * Counts at most `most` rows of each kind that the version before wrote, and deletes drawings from before a timestamp
 * that nobody claimed. Returns how many, and the revisions with a block that is drawn.
 */
export async function countTextsOfBefore(tx: Tx, most: number, beforeMs: number) {
  return await tx.one(sql.type(Counted)`SELECT * FROM count_texts_of_before(${most}, ${at(beforeMs)})`);
}
