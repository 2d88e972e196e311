import { z } from "zod";
import { at, command, sql, type Tx } from "../connection/pool.ts";

const PendingDrawingRow = z.strictObject({
  revision_id: z.string(),
  kind: z.enum(["creation", "profile"]),
  attempt: z.number(),
});
export type PendingDrawingRow = z.infer<typeof PendingDrawingRow>;

/**
 * Marks the drawings of a revision as pending; returns the number of the attempt, raised where they were
 * pending.
 */
export async function upsertPendingDrawing(
  tx: Tx,
  pending: { revisionId: string; kind: PendingDrawingRow["kind"]; nowMs: number },
): Promise<number> {
  return await tx.oneFirst(sql.type(z.strictObject({ attempt: z.number() }))`
    INSERT INTO drawing_orders (revision_id, kind, ordered_at)
    VALUES (${pending.revisionId}, ${pending.kind}, ${at(pending.nowMs)})
    ON CONFLICT (revision_id) DO UPDATE
      SET attempt = drawing_orders.attempt + 1, ordered_at = excluded.ordered_at
    RETURNING attempt`);
}

/** Ends the pending state of drawings that were drawn. */
export async function deletePendingDrawing(tx: Tx, revisionId: string): Promise<void> {
  await tx.query(command`DELETE FROM drawing_orders WHERE revision_id = ${revisionId}`);
}

/** Gives drawings that stayed pending a further attempt. */
export async function restartPendingDrawings(
  tx: Tx,
  beforeMs: number,
  nowMs: number,
): Promise<readonly PendingDrawingRow[]> {
  return await tx.any(sql.type(PendingDrawingRow)`
    UPDATE drawing_orders SET attempt = attempt + 1, ordered_at = ${at(nowMs)}
    WHERE revision_id IN (
      SELECT revision_id FROM drawing_orders WHERE ordered_at < ${at(beforeMs)}
      ORDER BY ordered_at LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING revision_id, kind, attempt`);
}
