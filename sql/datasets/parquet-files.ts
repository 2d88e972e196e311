import { z } from "zod";
import { at, command, type Db, sql, type Tx, texts } from "../connection/pool.ts";

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
export async function listParquetOfRevision(db: Db, revisionId: string): Promise<readonly ParquetRow[]> {
  return await db.any(sql.type(ParquetRow)`${parquetOf(revisionId)}`);
}

/** The same as part of a statement. */
export function parquetOf(revisionId: string) {
  return sql.fragment`
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
  const row = await tx.maybeOne(sql.type(z.strictObject({ id: z.string() }))`
    UPDATE assets SET parquet_version = ${version}
    WHERE id = ${assetId} AND readiness = 'ready' AND file_deleted_at IS NULL AND parquet_version < ${version}
    RETURNING id`);
  return row !== null;
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

/** At most a hundred files that are gone, or have no bytes, and of which there are Parquet files. */
export async function listBereftParquet(db: Db): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(z.strictObject({ asset_id: z.string() }))`
    SELECT DISTINCT p.asset_id FROM parquet_files p LEFT JOIN assets s ON s.id = p.asset_id
    WHERE s.id IS NULL OR s.file_deleted_at IS NOT NULL LIMIT 100`);
}
