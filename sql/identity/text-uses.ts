import { z } from "zod";
import { at, command, type Db, sql, type Tx } from "../connection/pool.ts";

const Bytes = z.strictObject({ bytes: z.number() });

/** What the texts of an agent take, and what is made of them, as part of a statement. */
export function textUseOf(agentId: ReturnType<typeof sql.fragment>) {
  return sql.fragment`(SELECT coalesce(sum(u.bytes), 0)::bigint FROM text_uses u WHERE u.agent_id = ${agentId})`;
}

/**
 * What the texts of an agent take now. A save asks once it holds its agent: the row that it waited for was read before
 * the save that it waited for.
 */
export async function findTextUse(db: Db, agentId: string): Promise<number> {
  return await db.oneFirst(sql.type(Bytes)`SELECT ${textUseOf(sql.fragment`${agentId}`)} AS bytes`);
}

/** Makes one row of the many that count the texts of an agent, for at most a hundred agents; returns their count. */
export async function joinTextUses(db: Db): Promise<number> {
  const { rowCount } = await db.query(command`
    WITH many AS (SELECT agent_id FROM text_uses GROUP BY agent_id HAVING count(*) > 20 LIMIT 100),
      gone AS (DELETE FROM text_uses WHERE agent_id IN (SELECT agent_id FROM many) RETURNING agent_id, bytes)
    INSERT INTO text_uses (agent_id, bytes) SELECT agent_id, sum(bytes) FROM gone GROUP BY agent_id`);
  return rowCount;
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
