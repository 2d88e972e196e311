import { z } from "zod";
import { at, command, type Db, Id, sql, type Tx, texts } from "../connection/pool.ts";
import { onePerSubject } from "../platform/pending-work.ts";
import { madeFiles } from "./canonical-files.ts";

export const ParquetRow = z.strictObject({
  asset_id: z.string(),
  table_number: z.number(),
  file_id: z.string(),
  bytes: z.number(),
  content_sha256: z.string(),
});
/** A table of a file as a stored Parquet file. */
export type ParquetRow = z.infer<typeof ParquetRow>;

const columns = sql.fragment`p.asset_id, p.table_number, p.file_id, p.bytes, p.content_sha256`;

/** The Parquet file of a table, by its place among the tables of a file. */
export async function findParquet(db: Db, assetId: string, tableNumber: number): Promise<ParquetRow | null> {
  return await db.maybeOne(sql.type(ParquetRow)`
    SELECT ${columns} FROM parquet_files p WHERE p.asset_id = ${assetId} AND p.table_number = ${tableNumber}`);
}

/** The Parquet files of a revision's files that still have their bytes. */
export function parquetOf(revisionId: string) {
  return sql.type(ParquetRow)`
    SELECT ${columns} FROM revision_files f JOIN assets s ON s.id = f.asset_id
      JOIN parquet_files p ON p.asset_id = s.id
    WHERE f.revision_id = ${revisionId} AND s.file_deleted_at IS NULL ORDER BY p.asset_id, p.table_number`;
}

/** Whether a worker has made or refused the Parquet files of a file, in this form of them. */
export async function isParquetSettled(db: Db, assetId: string, version: number): Promise<boolean> {
  return await db.exists(sql.type(z.unknown())`
    SELECT 1 FROM assets WHERE id = ${assetId} AND parquet_version >= ${version}`);
}

/** Settles the Parquet files of a file that still has its bytes; false where they are settled, or it has none. */
export async function settleParquet(tx: Tx, assetId: string, version: number): Promise<boolean> {
  const { rowCount } = await tx.query(command`
    UPDATE assets SET parquet_version = ${version}
    WHERE id = ${assetId} AND readiness = 'ready' AND file_deleted_at IS NULL AND parquet_version < ${version}`);
  return rowCount > 0;
}

/** Adds the Parquet files of a file. */
export async function insertParquet(
  tx: Tx,
  assetId: string,
  files: readonly { table: number; fileId: string; bytes: number; sha256: string }[],
  nowMs: number,
): Promise<void> {
  for (const { table, fileId, bytes, sha256 } of files)
    await tx.query(command`
      INSERT INTO parquet_files (file_id, asset_id, table_number, bytes, content_sha256, made_at)
      VALUES (${fileId}, ${assetId}, ${table}, ${bytes}, ${sha256}, ${at(nowMs)})`);
}

/** Forgets the Parquet files of these files; returns what the store has of them. */
export async function deleteParquetOf(db: Db, assetIds: readonly string[]): Promise<readonly string[]> {
  if (assetIds.length === 0) return [];
  return await db.anyFirst(sql.type(z.strictObject({ file_id: z.string() }))`
    DELETE FROM parquet_files WHERE asset_id = ANY(${texts(assetIds)}) RETURNING file_id`);
}

/** At most a hundred files that are gone, or have no bytes, and of which the service made others. */
export async function listBereftFiles(db: Db): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(z.strictObject({ asset_id: z.string() }))`
    SELECT DISTINCT p.asset_id FROM (${madeFiles}) p LEFT JOIN assets s ON s.id = p.asset_id
    WHERE s.id IS NULL OR s.file_deleted_at IS NOT NULL LIMIT 100`);
}

const KIND = "write-parquet";

/** Notes that a reader asks for the Parquet file of a file; false where one asked since a timestamp. */
export async function askForParquet(
  tx: Tx,
  assetId: string,
  { nowMs, sinceMs, runMs }: { nowMs: number; sinceMs: number; runMs: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(command`
    INSERT INTO pending_work AS w (kind, subject, created_at, run_at, asked_at)
    SELECT ${KIND}, id, ${at(nowMs)}, ${at(runMs)}, ${at(nowMs)} FROM assets
    WHERE id = ${assetId} AND readiness = 'ready' AND file_deleted_at IS NULL
    ON CONFLICT ${onePerSubject} DO UPDATE SET asked_at = excluded.asked_at
      WHERE w.asked_at IS NULL OR w.asked_at < ${at(sinceMs)}`);
  return rowCount > 0;
}

const Claimed = z.strictObject({ id: z.number(), asset_id: z.string(), attempt: z.number() });
export type ClaimedParquet = z.infer<typeof Claimed>;

/** Takes the order that comes next, until a timestamp: one that a reader asked for, else that of this file. */
export async function claimParquet(
  db: Db,
  assetId: string,
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
  return await db.anyFirst(sql.type(Id)`
    SELECT s.id FROM assets s
    WHERE s.kind = 'dataset' AND s.readiness = 'ready' AND s.file_deleted_at IS NULL
      AND s.parquet_version < ${version} AND s.created_at < ${at(createdBeforeMs)}
      AND NOT EXISTS (SELECT 1 FROM pending_work w WHERE w.kind = ${KIND} AND w.subject = s.id)
    ORDER BY s.parquet_version, s.id
    LIMIT greatest(0, ${most} - (SELECT count(*) FROM pending_work WHERE kind = ${KIND}))`);
}
