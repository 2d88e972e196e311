import { z } from "zod";
import { at, command, type Db, sql, type Tx } from "../connection/pool.ts";

const Ordered = z.strictObject({ asset_id: z.string() });

/** Orders the Parquet files of a file that a worker has just read; an order that there is stays. */
export async function insertParquetOrder(tx: Tx, assetId: string, nowMs: number): Promise<void> {
  await tx.query(command`
    INSERT INTO parquet_orders (asset_id, ordered_at) VALUES (${assetId}, ${at(nowMs)})
    ON CONFLICT (asset_id) DO NOTHING`);
}

/** Notes that a reader asks for the Parquet file of a file; false where one asked since a timestamp. */
export async function askForParquet(
  tx: Tx,
  assetId: string,
  { nowMs, sinceMs }: { nowMs: number; sinceMs: number },
): Promise<boolean> {
  const row = await tx.maybeOne(sql.type(Ordered)`
    INSERT INTO parquet_orders AS o (asset_id, ordered_at, asked_at)
    SELECT id, ${at(nowMs)}, ${at(nowMs)} FROM assets
    WHERE id = ${assetId} AND readiness = 'ready' AND file_deleted_at IS NULL
    ON CONFLICT (asset_id) DO UPDATE SET asked_at = excluded.asked_at
      WHERE o.asked_at IS NULL OR o.asked_at < ${at(sinceMs)}
    RETURNING o.asset_id`);
  return row !== null;
}

const Claimed = z.strictObject({ asset_id: z.string(), tries: z.number(), is_asked: z.boolean() });
export type ClaimedOrder = z.infer<typeof Claimed>;

/** Takes the order that comes next: one that a reader asked for, else that of this file, where one is given. */
export async function claimParquetOrder(
  db: Db,
  assetId: string | null,
  { nowMs, lostMs }: { nowMs: number; lostMs: number },
): Promise<ClaimedOrder | null> {
  return await db.maybeOne(sql.type(Claimed)`
    UPDATE parquet_orders SET begun_at = ${at(nowMs)}, tries = tries + 1
    WHERE asset_id = (
      SELECT o.asset_id FROM parquet_orders o
      WHERE (o.asked_at IS NOT NULL OR o.asset_id = ${assetId}) AND (o.begun_at IS NULL OR o.begun_at < ${at(lostMs)})
      ORDER BY o.asked_at NULLS LAST LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING asset_id, tries, asked_at IS NOT NULL AS is_asked`);
}

/** Says that a worker is still at an order. */
export async function touchParquetOrder(db: Db, assetId: string, nowMs: number): Promise<void> {
  await db.query(command`
    UPDATE parquet_orders SET begun_at = ${at(nowMs)} WHERE asset_id = ${assetId} AND begun_at IS NOT NULL`);
}

/** Gives an order back that a worker could not do. */
export async function releaseParquetOrder(db: Db, assetId: string): Promise<void> {
  await db.query(command`UPDATE parquet_orders SET begun_at = NULL WHERE asset_id = ${assetId}`);
}

/** Ends an order. */
export async function deleteParquetOrder(db: Db, assetId: string): Promise<void> {
  await db.query(command`DELETE FROM parquet_orders WHERE asset_id = ${assetId}`);
}

/** Renews at most a hundred orders that no worker took since one timestamp, or ended since another. */
export async function renewLostParquetOrders(
  tx: Tx,
  { waitingMs, begunMs, nowMs }: { waitingMs: number; begunMs: number; nowMs: number },
): Promise<readonly string[]> {
  return await tx.anyFirst(sql.type(Ordered)`
    UPDATE parquet_orders SET ordered_at = ${at(nowMs)}, begun_at = NULL
    WHERE asset_id IN (
      SELECT asset_id FROM parquet_orders 
      WHERE begun_at < ${at(begunMs)} OR begun_at IS NULL AND ordered_at < ${at(waitingMs)}
      ORDER BY ordered_at LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING asset_id`);
}

/** Orders the Parquet files of files without any of this form, created before a timestamp, until `most` orders wait. */
export async function orderMissingParquet(
  tx: Tx,
  {
    version,
    createdBeforeMs,
    nowMs,
    most,
  }: {
    version: number;
    createdBeforeMs: number;
    nowMs: number;
    most: number;
  },
): Promise<readonly string[]> {
  return await tx.anyFirst(sql.type(Ordered)`
    INSERT INTO parquet_orders (asset_id, ordered_at)
    SELECT s.id, ${at(nowMs)} FROM assets s
    WHERE s.kind = 'dataset' AND s.readiness = 'ready' AND s.file_deleted_at IS NULL
      AND s.parquet_version < ${version} AND s.created_at < ${at(createdBeforeMs)}
      AND NOT EXISTS (SELECT 1 FROM parquet_orders o WHERE o.asset_id = s.id)
    ORDER BY s.parquet_version, s.id
    LIMIT greatest(0, ${most} - (SELECT count(*) FROM parquet_orders))
    ON CONFLICT (asset_id) DO NOTHING RETURNING asset_id`);
}
