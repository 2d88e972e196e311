import { z } from "zod";
import { command, type Db, sql, type Tx, texts } from "../connection/pool.ts";

/** The format of a file as sent. */
export const FormatColumn = z.enum(["csv", "json", "jsonl", "txt", "md"]);

export const CanonicalRow = z.strictObject({
  file_id: z.string(),
  bytes: z.number(),
  content_sha256: z.string(),
});
/** The canonical form of a file: its key in the store, its size and its hash. */
export type CanonicalRow = z.infer<typeof CanonicalRow>;

/** The files that the service made of others. */
export const madeFiles = sql.fragment`
  SELECT 'parquet' AS kind, file_id, asset_id, bytes, content_sha256 FROM parquet_files
  UNION ALL SELECT 'canonical', file_id, asset_id, bytes, content_sha256 FROM canonical_files`;

/** The canonical form of the file `assets`; null where it is read as sent. */
export const canonicalOfAsset = sql.fragment`
  (SELECT row_to_json(k) FROM (
    SELECT file_id, bytes, content_sha256 FROM canonical_files WHERE asset_id = assets.id) k)`;

/** The hash of the bytes that are read of the file `s`. */
export const sha256AsRead = (s = sql.fragment`s`) => sql.fragment`
  coalesce((SELECT k.content_sha256 FROM canonical_files k WHERE k.asset_id = ${s}.id), ${s}.content_sha256)`;

/**
 * The hash of the file of the chart or figure `k` as readers download it, where `k` keeps that of the bytes that were
 * read; the latter once the row of a file that no work has is gone.
 */
export const sha256AsSent = sql.fragment`
  coalesce((SELECT x.content_sha256 FROM assets x WHERE x.id = k.asset_id), k.content_sha256)`;

/** The bytes that are read of a file, and their hash: those of its canonical form where it has one. */
export const AsRead = { read_bytes: z.number(), read_sha256: z.string() };
export const asRead = sql.fragment`
  coalesce((SELECT k.bytes FROM canonical_files k WHERE k.asset_id = s.id), s.bytes) AS read_bytes,
  ${sha256AsRead()} AS read_sha256`;

/** The bytes that the file `assets` takes in the store, its canonical form included. */
export const storedBytes = sql.fragment`
  (assets.bytes + coalesce((SELECT k.bytes FROM canonical_files k WHERE k.asset_id = assets.id), 0))`;

/** Records the canonical form of a file; in the place of an earlier one. */
export async function insertCanonical(tx: Tx, assetId: string, made: CanonicalRow): Promise<void> {
  await tx.query(command`
    INSERT INTO canonical_files (asset_id, file_id, bytes, content_sha256)
    VALUES (${assetId}, ${made.file_id}, ${made.bytes}, ${made.content_sha256})`);
}

/** Forgets the canonical forms of these files; their keys in the store. */
export async function deleteCanonicalOf(db: Db, assetIds: readonly string[]): Promise<readonly string[]> {
  if (assetIds.length === 0) return [];
  return await db.anyFirst(sql.type(z.strictObject({ file_id: z.string() }))`
    DELETE FROM canonical_files WHERE asset_id = ANY(${texts(assetIds)}) RETURNING file_id`);
}
