import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";

const PendingArtworkRow = z.strictObject({
  subject_id: z.string(),
  kind: z.enum(["creation", "agent"]),
  tries: z.number(),
});
export type PendingArtworkRow = z.infer<typeof PendingArtworkRow>;

/** A subject whose artwork is to be drawn as published now. */
interface NewPendingArtwork {
  kind: PendingArtworkRow["kind"];
  subjectId: string;
  nowMs: number;
}

/** Marks the artwork of a subject as pending: it is to be drawn as published now. */
export async function upsertPendingArtwork(tx: Tx, pending: NewPendingArtwork): Promise<void> {
  await tx.query(command`${insertPendingArtwork(pending)}`);
}

/** The statement that marks the artwork of a subject as pending. */
export function insertPendingArtwork({ kind, subjectId, nowMs }: NewPendingArtwork) {
  return sql.fragment`
    INSERT INTO artwork_orders (subject_id, kind, ordered_at) VALUES (${subjectId}, ${kind}, ${at(nowMs)})
    ON CONFLICT (subject_id) DO UPDATE SET tries = 0, ordered_at = excluded.ordered_at`;
}

/** Since when the artwork of a subject is pending; null where it is not. */
export async function findPendingArtwork(db: Db, subjectId: string): Promise<number | null> {
  return await db.maybeOneFirst(sql.type(z.strictObject({ ordered_at: Timestamp }))`
    SELECT ordered_at FROM artwork_orders WHERE subject_id = ${subjectId}`);
}

/** Ends the pending state of artwork that was drawn, unless it became pending again since. */
export async function deletePendingArtwork(db: Db, subjectId: string, sinceMs: number): Promise<void> {
  await db.query(command`
    DELETE FROM artwork_orders WHERE subject_id = ${subjectId} AND ordered_at = ${at(sinceMs)}`);
}

/** Gives artwork that stayed pending another try. */
export async function restartPendingArtworks(
  tx: Tx,
  beforeMs: number,
  nowMs: number,
): Promise<readonly PendingArtworkRow[]> {
  return await tx.any(sql.type(PendingArtworkRow)`
    UPDATE artwork_orders SET tries = tries + 1, ordered_at = ${at(nowMs)}
    WHERE subject_id IN (
      SELECT subject_id FROM artwork_orders WHERE ordered_at < ${at(beforeMs)}
      ORDER BY ordered_at LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING subject_id, kind, tries`);
}
