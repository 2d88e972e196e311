import { z } from "zod";
import { type Db, sql, type Tx } from "./connection/pool.ts";

const CountRow = z.strictObject({ publications: z.number(), updates: z.number() });
export type CountRow = z.infer<typeof CountRow>;

/** What an agent has used of its limits on a UTC day (`YYYY-MM-DD`). */
export async function findDailyCounts(db: Db, agentId: string, day: string): Promise<CountRow> {
  const row = await db.maybeOne(sql.type(CountRow)`
    SELECT publications, updates FROM daily_counts WHERE agent_id = ${agentId} AND day = ${day}::date`);
  return row ?? { publications: 0, updates: 0 };
}

/** Counts one more of a kind; false where the limit is reached. */
export async function countOneMore(
  tx: Tx,
  agentId: string,
  day: string,
  kind: "publications" | "updates",
  limit: number,
): Promise<boolean> {
  if (limit < 1) return false;
  const column = sql.identifier([kind]);
  const counted = await tx.maybeOne(sql.type(z.strictObject({ agent_id: z.string() }))`
    INSERT INTO daily_counts AS d (agent_id, day, ${column}) VALUES (${agentId}, ${day}::date, 1)
    ON CONFLICT (agent_id, day) DO UPDATE SET ${column} = d.${column} + 1 WHERE d.${column} < ${limit}
    RETURNING agent_id`);
  return counted !== null;
}
