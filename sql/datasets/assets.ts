import { z } from "zod";
import { at, bytesOrNull, command, type Db, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";
import { insertSettledAssets } from "../trust/event-outbox.ts";
import { CanonicalRow, canonicalOfAsset, FormatColumn } from "./canonical-files.ts";

export const AssetRow = z.strictObject({
  id: z.string(),
  agent_id: z.string(),
  kind: z.enum(["dataset", "document"]),
  format: FormatColumn,
  filename: z.string(),
  bytes: z.number(),
  content_sha256: z.string(),
  readiness: z.enum(["processing", "ready", "failed"]),
  readiness_reason: z.string().nullable(),
  readiness_progress: z.number(),
  attempt: z.number(),
  attempt_started_at: Timestamp,
  inspection: z.string().nullable(),
  tables: z.string().nullable(),
  hints: z.string().nullable(),
  created_at: Timestamp,
  expires_at: Timestamp.nullable(),
  file_deleted_at: Timestamp.nullable(),
  sent_bytes: z.number().nullable(),
  appended_to_asset_id: z.string().nullable(),
  appended_from: z.number().nullable(),
  rows_added: z.number().nullable(),
  dialect: z.string().nullable(),
  piece_dialect: z.string().nullable(),
  reading: z.string().nullable(),
  /** The form that is read, where it is not the file as sent. */
  canonical: CanonicalRow.nullable(),
});
/** An uploaded file; its inspection results are JSON text, so that numbers keep their digits. */
export type AssetRow = z.infer<typeof AssetRow>;

/** The columns of an `AssetRow`. */
export const assetColumns = sql.fragment`
  id, agent_id, kind, format, filename, bytes, content_sha256, readiness, readiness_reason,
  readiness_progress, attempt,
  attempt_started_at, inspection::text AS inspection, tables::text AS tables, hints::text AS hints, created_at,
  expires_at, file_deleted_at, sent_bytes, appended_to_asset_id, appended_from, rows_added,
  dialect::text AS dialect, piece_dialect::text AS piece_dialect, reading::text AS reading,
  ${canonicalOfAsset} AS canonical`;

/** Adds an upload. */
export async function insertAsset(
  tx: Tx,
  asset: {
    id: string;
    agentId: string;
    kind: string;
    format: string;
    filename: string;
    bytes: number;
    sentBytes?: number | null;
    /** Its base, the byte at which the appended part begins, and what its reading changed, as JSON text. */
    appended?: { baseId: string; from: number; reading?: string | null } | null;
    sha256: string;
    /** What the sender named, as JSON text. */
    dialect?: string | null;
    pieceDialect?: string | null;
    nowMs: number;
    expiresMs: number;
  },
): Promise<void> {
  await tx.query(command`
    INSERT INTO assets (id, agent_id, kind, format, filename, bytes, content_sha256, readiness, attempt_started_at,
      created_at, expires_at, sent_bytes, appended_to_asset_id, appended_from, dialect, piece_dialect, reading)
    VALUES (${asset.id}, ${asset.agentId}, ${asset.kind}, ${asset.format}, ${asset.filename}, ${asset.bytes},
      ${asset.sha256}, 'processing', ${at(asset.nowMs)}, ${at(asset.nowMs)}, ${at(asset.expiresMs)},
      ${asset.sentBytes ?? null}, ${asset.appended?.baseId ?? null}, ${asset.appended?.from ?? null},
      ${asset.dialect ?? null}::json, ${asset.pieceDialect ?? null}::json, ${asset.appended?.reading ?? null}::json)`);
}

/** A file by its id. */
export async function findAssetById(db: Db, id: string): Promise<AssetRow | null> {
  return await db.maybeOne(sql.type(AssetRow)`SELECT ${assetColumns} FROM assets WHERE id = ${id}`);
}

/** The condition for a file that its agent may ask for: one that went with its revisions is no more, a refused one says why. */
export const isKept = sql.fragment`(file_deleted_at IS NULL OR readiness = 'failed')`;

/** A file of this agent, expired or not; null for another agent's, and for one that is no more. */
export async function findOwnAsset(db: Db, agentId: string, id: string): Promise<AssetRow | null> {
  return await db.maybeOne(sql.type(AssetRow)`
    SELECT ${assetColumns} FROM assets WHERE id = ${id} AND agent_id = ${agentId} AND ${isKept}`);
}

/** The files of this agent among these ids. */
export async function listOwnAssets(db: Db, agentId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return await db.any(sql.type(AssetRow)`
    SELECT ${assetColumns} FROM assets WHERE agent_id = ${agentId} AND id = ANY(${texts(ids)}) AND ${isKept}`);
}

/** Locks these files against deletion and expiry in this transaction, in the order of their ids. */
export async function lockOwnAssets(tx: Tx, agentId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return await tx.any(sql.type(AssetRow)`
    SELECT ${assetColumns} FROM assets WHERE agent_id = ${agentId} AND id = ANY(${texts(ids)}) AND ${isKept}
    ORDER BY id FOR NO KEY UPDATE`);
}

/** How many files of an agent inspection has not settled. */
export async function countProcessingAssets(db: Db, agentId: string): Promise<number> {
  return await db.oneFirst(sql.type(z.strictObject({ count: z.number() }))`
    SELECT count(*) FROM assets WHERE agent_id = ${agentId} AND readiness = 'processing'`);
}

/** Marks files that a saved revision uses: they no longer expire. */
export async function markAssetsAttached(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(command`UPDATE assets SET expires_at = NULL WHERE id = ANY(${texts(ids)})`);
}

/** Saves a ready file's inspection results; false where another attempt has taken over. */
export async function settleAssetReady(
  tx: Tx,
  id: string,
  attempt: number,
  found: {
    inspection: string | null;
    tables: string;
    hints: string;
    readingIndex?: Uint8Array | null;
    rowsAdded?: number | null;
    /** How it was read, and what the answer says of that, as JSON text. */
    dialect?: string | null;
    reading?: string | null;
    nowMs: number;
  },
): Promise<boolean> {
  const row = await tx.maybeOne(sql.type(z.strictObject({ id: z.string() }))`
    WITH settled AS (
      UPDATE assets SET readiness = 'ready', inspection = ${found.inspection}::json, tables = ${found.tables}::json,
        hints = ${found.hints}::json, reading_index = ${bytesOrNull(found.readingIndex ?? null)},
        rows_added = ${found.rowsAdded ?? null}, dialect = ${found.dialect ?? null}::json,
        reading = coalesce(${found.reading ?? null}::json, reading)
      WHERE id = ${id} AND readiness = 'processing' AND attempt = ${attempt} AND file_deleted_at IS NULL
      RETURNING ${settledColumns}
    ), told AS (${insertSettledAssets(found.nowMs)})
    SELECT id FROM settled`);
  return row !== null;
}

const settledColumns = sql.fragment`id, agent_id, readiness, answered_processing`;

/** Records that an agent is answered that a file is being processed; false where it is so no more. */
export async function markAnsweredProcessing(tx: Tx, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(command`
    UPDATE assets SET answered_processing = true WHERE id = ${id} AND readiness = 'processing'`);
  return rowCount > 0;
}

/** The positions of a file's rows, as inspection recorded them; null where it did not. */
export async function findReadingIndex(db: Db, id: string): Promise<Uint8Array | null> {
  const Index = z.strictObject({ reading_index: z.instanceof(Uint8Array).nullable() });
  return await db.maybeOneFirst(sql.type(Index)`SELECT reading_index FROM assets WHERE id = ${id}`);
}

/** How far an attempt has read, and when. */
type Noted = { progress: number; nowMs: number };
/** Records that an attempt is under way, unless the row is locked: progress is not worth a wait. */
export async function noteProgress(db: Db, id: string, attempt: number, now: Noted): Promise<void> {
  await db.query(command`
    UPDATE assets SET readiness_progress = ${now.progress}, attempt_started_at = ${at(now.nowMs)}
    WHERE id = (SELECT id FROM assets WHERE id = ${id} AND readiness = 'processing' AND attempt = ${attempt}
      FOR NO KEY UPDATE SKIP LOCKED)`);
}

/** Saves the reason why a file was refused; false where another attempt has taken over. */
export async function settleAssetFailed(
  tx: Tx,
  id: string,
  attempt: number,
  { reason, reading, nowMs }: { reason: string; reading: string | null; nowMs: number },
): Promise<boolean> {
  const row = await tx.maybeOne(sql.type(z.strictObject({ id: z.string() }))`
    WITH settled AS (
      UPDATE assets SET readiness = 'failed', readiness_reason = ${reason}, reading = ${reading}::json,
        file_deleted_at = ${at(nowMs)}
      WHERE id = ${id} AND readiness = 'processing' AND attempt = ${attempt} RETURNING ${settledColumns}
    ), told AS (${insertSettledAssets(nowMs)})
    SELECT id FROM settled`);
  return row !== null;
}

/** Notifies the request that waits for this verdict, when the transaction commits. */
export async function notifyAssetSettled(tx: Tx, id: string): Promise<void> {
  await tx.query(sql.type(z.unknown())`SELECT pg_notify(${ASSET_SETTLED_CHANNEL}, ${id})`);
}
export const ASSET_SETTLED_CHANNEL = "asset_settled";

/** Deletes a file's row. */
export async function deleteAsset(tx: Tx, id: string): Promise<void> {
  await tx.query(command`DELETE FROM assets WHERE id = ${id}`);
}

const Stalled = z.strictObject({ id: z.string(), attempt: z.number() });
/** Gives uploads that have waited since before a timestamp a new attempt, at most a hundred at once. */
export async function restartStalledAssets(tx: Tx, beforeMs: number, nowMs: number) {
  return await tx.any(sql.type(Stalled)`
    UPDATE assets SET attempt = attempt + 1, attempt_started_at = ${at(nowMs)}, readiness_progress = 0
    WHERE id IN (
      SELECT id FROM assets WHERE readiness = 'processing' AND attempt_started_at < ${at(beforeMs)}
      ORDER BY attempt_started_at LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING id, attempt`);
}

const Expired = z.strictObject({ id: z.string(), agent_id: z.string() });
/** At most 500 expired files; files that a revision uses never expire. */
export async function listExpiredAssets(db: Db, nowMs: number): Promise<readonly z.infer<typeof Expired>[]> {
  return await db.any(sql.type(Expired)`
    SELECT id, agent_id FROM assets
    WHERE expires_at IS NOT NULL AND expires_at <= ${at(nowMs)} ORDER BY expires_at LIMIT 500`);
}
