import { z } from "zod";
import { at, command, sql, type Tx } from "./connection/pool.ts";

const OrderRow = z.strictObject({
  revision_id: z.string(),
  kind: z.enum(["creation", "profile"]),
  attempt: z.number(),
});
export type OrderRow = z.infer<typeof OrderRow>;

/** Notes that a revision is to be drawn; a further order for it has the next attempt's number. */
export async function upsertPendingDrawing(
  tx: Tx,
  order: { revisionId: string; kind: OrderRow["kind"]; nowMs: number },
): Promise<number> {
  return await tx.oneFirst(sql.type(z.strictObject({ attempt: z.number() }))`
    INSERT INTO drawing_orders (revision_id, kind, ordered_at)
    VALUES (${order.revisionId}, ${order.kind}, ${at(order.nowMs)})
    ON CONFLICT (revision_id) DO UPDATE
      SET attempt = drawing_orders.attempt + 1, ordered_at = excluded.ordered_at
    RETURNING attempt`);
}

export async function deletePendingDrawing(tx: Tx, revisionId: string): Promise<void> {
  await tx.query(command`DELETE FROM drawing_orders WHERE revision_id = ${revisionId}`);
}

/** Gives orders that nobody carried out a further attempt. */
export async function restartPendingDrawings(
  tx: Tx,
  beforeMs: number,
  nowMs: number,
): Promise<readonly OrderRow[]> {
  return await tx.any(sql.type(OrderRow)`
    UPDATE drawing_orders SET attempt = attempt + 1, ordered_at = ${at(nowMs)}
    WHERE revision_id IN (
      SELECT revision_id FROM drawing_orders WHERE ordered_at < ${at(beforeMs)}
      ORDER BY ordered_at LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING revision_id, kind, attempt`);
}
