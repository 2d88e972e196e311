import { z } from "zod";
import { type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";

/** The channel on which the triggers of outbox tables announce new rows; the payload is the sequencer's name. */
export const OUTBOX_CHANNEL = "outbox";

/** Takes a sequencer's lock until the transaction ends; false where another process holds it. */
export async function holdSequencer(tx: Tx, name: string): Promise<boolean> {
  return await tx.oneFirst(sql.type(z.strictObject({ locked: z.boolean() }))`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`sequencer:${name}`}, 0)) AS locked`);
}

/** Waits for a sequencer's lock, and holds it until the transaction ends. */
export async function awaitSequencer(tx: Tx, name: string): Promise<void> {
  await tx.query(sql.type(z.unknown())`
    SELECT pg_advisory_xact_lock(hashtextextended(${`sequencer:${name}`}, 0))`);
}

const Backlog = z.strictObject({
  sequencer: z.enum(["events", "log"]),
  rows: z.number(),
  oldest_at: Timestamp.nullable(),
});
/** How many committed changes wait for a sequencer, and since when. */
export type OutboxBacklog = z.infer<typeof Backlog>;

/** What waits for each sequencer; nothing waits for a transparency log that was not begun. */
export async function measureOutboxes(db: Db): Promise<readonly OutboxBacklog[]> {
  return await db.any(sql.type(Backlog)`
    SELECT 'events' AS sequencer, count(*) AS rows, min(at) AS oldest_at FROM event_outbox WHERE part <> 'done'
    UNION ALL
    SELECT 'log', count(*), min(at) FROM log_outbox WHERE EXISTS (SELECT FROM logs)`);
}
