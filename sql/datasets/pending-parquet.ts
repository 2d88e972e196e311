import { z } from "zod";
import { at, command, type Db, sql, type Tx } from "../connection/pool.ts";
import { onePerSubject } from "../platform/pending-work.ts";

const KIND = "write-parquet";
const Ordered = z.strictObject({ subject: z.string() });

/** Notes that a reader asks for the Parquet file of a file; false where one asked since a timestamp. */
export async function askForParquet(
  tx: Tx,
  assetId: string,
  { nowMs, sinceMs, runMs }: { nowMs: number; sinceMs: number; runMs: number },
): Promise<boolean> {
  const row = await tx.maybeOne(sql.type(Ordered)`
    INSERT INTO pending_work AS w (kind, subject, created_at, run_at, asked_at)
    SELECT ${KIND}, id, ${at(nowMs)}, ${at(runMs)}, ${at(nowMs)} FROM assets
    WHERE id = ${assetId} AND readiness = 'ready' AND file_deleted_at IS NULL
    ON CONFLICT ${onePerSubject} DO UPDATE SET asked_at = excluded.asked_at
      WHERE w.asked_at IS NULL OR w.asked_at < ${at(sinceMs)}
    RETURNING w.subject`);
  return row !== null;
}

const Claimed = z.strictObject({ id: z.number(), asset_id: z.string(), attempt: z.number() });
export type ClaimedParquet = z.infer<typeof Claimed>;

/**
 * Takes the order that comes next, until a timestamp: one that a reader asked for, else that of this file, where one is
 * given.
 */
export async function claimParquet(
  db: Db,
  assetId: string | null,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<ClaimedParquet | null> {
  return await db.maybeOne(sql.type(Claimed)`
    UPDATE pending_work SET begun_at = ${at(nowMs)}, run_at = ${at(untilMs)}, attempt = attempt + 1
    WHERE id = (
      SELECT w.id FROM pending_work w
      WHERE w.kind = ${KIND} AND (w.asked_at IS NOT NULL OR w.subject = ${assetId})
        AND (w.begun_at IS NULL OR w.run_at < ${at(nowMs)})
      ORDER BY w.asked_at NULLS LAST LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, subject AS asset_id, attempt`);
}

/** Keeps an order that a worker is still at until a timestamp. */
export async function keepParquet(db: Db, id: number, untilMs: number): Promise<void> {
  await db.query(command`
    UPDATE pending_work SET run_at = ${at(untilMs)} WHERE id = ${id} AND begun_at IS NOT NULL`);
}

/** Gives an order back that a worker could not do. */
export async function releaseParquet(db: Db, id: number): Promise<void> {
  await db.query(command`UPDATE pending_work SET begun_at = NULL WHERE id = ${id}`);
}

/** Files without any Parquet files of this form, created before a timestamp and not ordered, until `most` orders wait. */
export async function listMissingParquet(
  db: Db,
  { version, createdBeforeMs, most }: { version: number; createdBeforeMs: number; most: number },
): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(z.strictObject({ id: z.string() }))`
    SELECT s.id FROM assets s
    WHERE s.kind = 'dataset' AND s.readiness = 'ready' AND s.file_deleted_at IS NULL
      AND s.parquet_version < ${version} AND s.created_at < ${at(createdBeforeMs)}
      AND NOT EXISTS (SELECT 1 FROM pending_work w WHERE w.kind = ${KIND} AND w.subject = s.id)
    ORDER BY s.parquet_version, s.id
    LIMIT greatest(0, ${most} - (SELECT count(*) FROM pending_work WHERE kind = ${KIND}))`);
}
