import { z } from "zod";
import { type Db, sql, Timestamp } from "../connection/pool.ts";

/** The channel on which the triggers of outbox tables announce new rows; the payload is the sequencer's name. */
export const OUTBOX_CHANNEL = "outbox";

/** How many committed changes wait for a sequencer, and since when. */
const Backlog = z.strictObject({
  sequencer: z.enum(["events", "log"]),
  rows: z.number(),
  oldest_at: Timestamp.nullable(),
});

/** What waits for each sequencer; nothing waits for a transparency log that was not begun. */
export async function measureOutboxes(db: Db) {
  return await db.any(sql.type(Backlog)`
    SELECT 'events' AS sequencer, count(*) AS rows, min(at) AS oldest_at FROM event_outbox WHERE part <> 'done'
    UNION ALL
    SELECT 'log', count(*), min(at) FROM log_outbox WHERE EXISTS (SELECT FROM logs)`);
}
