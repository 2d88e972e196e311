import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx } from "./connection/pool.ts";

const OrderRow = z.strictObject({
  subject_id: z.string(),
  kind: z.enum(["creation", "agent"]),
  tries: z.number(),
});
export type PendingArtworkRow = z.infer<typeof OrderRow>;

/** Notes that the artwork of a subject is to be drawn as it is published now. */
export async function upsertPendingArtwork(
  tx: Tx,
  order: { kind: PendingArtworkRow["kind"]; subjectId: string; nowMs: number },
): Promise<void> {
  await tx.query(command`
    INSERT INTO artwork_orders (subject_id, kind, ordered_at)
    VALUES (${order.subjectId}, ${order.kind}, ${at(order.nowMs)})
    ON CONFLICT (subject_id) DO UPDATE SET tries = 0, ordered_at = excluded.ordered_at`);
}

/** When the order that waits for a subject was made; null where none does. */
export async function findPendingArtwork(db: Db, subjectId: string): Promise<number | null> {
  return await db.maybeOneFirst(sql.type(z.strictObject({ ordered_at: Timestamp }))`
    SELECT ordered_at FROM artwork_orders WHERE subject_id = ${subjectId}`);
}

/** Takes an order away that was carried out, unless another has come since. */
export async function deletePendingArtwork(db: Db, subjectId: string, orderedMs: number): Promise<void> {
  await db.query(command`
    DELETE FROM artwork_orders WHERE subject_id = ${subjectId} AND ordered_at = ${at(orderedMs)}`);
}

/** Gives orders that nobody carried out another try. */
export async function restartPendingArtworks(
  tx: Tx,
  beforeMs: number,
  nowMs: number,
): Promise<readonly PendingArtworkRow[]> {
  return await tx.any(sql.type(OrderRow)`
    UPDATE artwork_orders SET tries = tries + 1, ordered_at = ${at(nowMs)}
    WHERE subject_id IN (
      SELECT subject_id FROM artwork_orders WHERE ordered_at < ${at(beforeMs)}
      ORDER BY ordered_at LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING subject_id, kind, tries`);
}
