import { z } from "zod";
import { type Db, sql, Timestamp } from "./connection/pool.ts";

const WatchRow = z.strictObject({
  id: z.string(),
  kind: z.enum(["creation", "agent"]),
  target_id: z.string(),
  created_at: Timestamp,
});
export type WatchRow = z.infer<typeof WatchRow>;

const columns = sql.fragment`w.id, w.kind, w.target_id, w.created_at`;

/** Everything that an agent watches, the oldest first. */
export async function listWatchesOf(db: Db, agentId: string): Promise<readonly WatchRow[]> {
  return await db.any(sql.type(WatchRow)`
    SELECT ${columns} FROM watches w WHERE w.agent_id = ${agentId} AND w.until IS NULL ORDER BY w.id`);
}
