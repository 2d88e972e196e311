import { z } from "zod";
import { at, Count, command, type Db, sql } from "../connection/pool.ts";

const Use = z.strictObject({ bytes: z.number(), rows: z.number() });

/** So many rows of an agent are added up with each save; more are made one. */
const MOST_ROWS = 50;

/**
 * What the texts of an agent take now. A save asks once it holds its agent: the row that it waited for was read before
 * the save that it waited for.
 */
export async function findTextUse(db: Db, agentId: string): Promise<number> {
  const { bytes, rows } = await db.one(sql.type(Use)`
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes, count(*) AS rows FROM text_uses WHERE agent_id = ${agentId}`);
  if (rows <= MOST_ROWS) return bytes;
  // Another transaction may make one of some of them now.
  await db.query(command`
    WITH gone AS (DELETE FROM text_uses WHERE id = ANY(ARRAY(
        SELECT id FROM text_uses WHERE agent_id = ${agentId} FOR UPDATE SKIP LOCKED)) RETURNING bytes)
    INSERT INTO text_uses (agent_id, bytes) SELECT ${agentId}, sum(bytes) FROM gone HAVING count(*) > 0`);
  return bytes;
}

/** Of each table at once: each may be a text of 100,000 characters that is measured. */
const MOST_COUNTED = 200;

/**
 * Counts rows that the version before wrote, some at a time, and deletes its drawings from before a timestamp. Returns
 * how many.
 */
export async function countTextsOfBefore(db: Db, drawnBeforeMs: number): Promise<number> {
  return await db.oneFirst(sql.type(Count)`
    SELECT count_texts_of_before(${MOST_COUNTED}, ${at(drawnBeforeMs)}) AS count`);
}
