import { z } from "zod";
import { at, Count, command, type Db, Id, sql, Timestamp, type Tx } from "../connection/pool.ts";

export const ExportRow = z.strictObject({
  id: z.string(),
  owner_id: z.string(),
  state: z.enum(["waiting", "ready", "failed", "deleted"]),
  ordered_at: Timestamp,
  tries: z.number(),
  finished_at: Timestamp.nullable(),
  expires_at: Timestamp.nullable(),
  file_id: z.string().nullable(),
  bytes: z.number().nullable(),
  sha256: z.string().nullable(),
  failure: z.string().nullable(),
});
/** An archive that an owner requested, and its state. */
export type ExportRow = z.infer<typeof ExportRow>;

const columns = sql.fragment`
  id, owner_id, state, ordered_at, tries, finished_at, expires_at, file_id, bytes, sha256, failure`;

const FileId = z.strictObject({ file_id: z.string() });

/** Adds a request for an archive. */
export async function insertExport(tx: Tx, request: { id: string; ownerId: string; nowMs: number }) {
  await tx.query(command`
    INSERT INTO owner_exports (id, owner_id, ordered_at, touched_at)
    VALUES (${request.id}, ${request.ownerId}, ${at(request.nowMs)}, ${at(request.nowMs)})`);
}

/** The archives of an owner. */
export async function listExportsOf(db: Db, ownerId: string): Promise<readonly ExportRow[]> {
  return await db.any(sql.type(ExportRow)`
    SELECT ${columns} FROM owner_exports WHERE owner_id = ${ownerId} ORDER BY ordered_at DESC, id DESC`);
}

/** An archive of this owner; null for another owner's. */
export async function findExportOf(db: Db, ownerId: string, id: string): Promise<ExportRow | null> {
  return await db.maybeOne(sql.type(ExportRow)`
    SELECT ${columns} FROM owner_exports WHERE id = ${id} AND owner_id = ${ownerId}`);
}

/** Counts one more try of a pending request; null where there is none. */
export async function beginExport(tx: Tx, id: string, nowMs: number): Promise<ExportRow | null> {
  return await tx.maybeOne(sql.type(ExportRow)`
    UPDATE owner_exports SET tries = tries + 1, touched_at = ${at(nowMs)}
    WHERE id = ${id} AND state = 'waiting' RETURNING ${columns}`);
}

/** Records that a worker is still working; false where nobody waits for the archive any more. */
export async function touchExport(db: Db, id: string, nowMs: number): Promise<boolean> {
  const row = await db.maybeOne(sql.type(Id)`
    UPDATE owner_exports SET touched_at = ${at(nowMs)} WHERE id = ${id} AND state = 'waiting' RETURNING id`);
  return row !== null;
}

/** Sets the file of a pending request; false where there is none. */
export async function settleExportReady(
  tx: Tx,
  id: string,
  archive: { fileId: string; bytes: number; sha256: string; nowMs: number; expiresMs: number },
): Promise<boolean> {
  const row = await tx.maybeOne(sql.type(Id)`
    UPDATE owner_exports SET state = 'ready', file_id = ${archive.fileId}, bytes = ${archive.bytes},
      sha256 = ${archive.sha256}, finished_at = ${at(archive.nowMs)}, expires_at = ${at(archive.expiresMs)}
    WHERE id = ${id} AND state = 'waiting' RETURNING id`);
  return row !== null;
}

/** Fails a pending request, with a reason for its owner; returns the owner's id, or null. */
export async function settleExportFailed(
  tx: Tx,
  id: string,
  failed: { reason: string; nowMs: number; expiresMs: number },
): Promise<string | null> {
  return await tx.maybeOneFirst(sql.type(z.strictObject({ owner_id: z.string() }))`
    UPDATE owner_exports SET state = 'failed', failure = ${failed.reason}, finished_at = ${at(failed.nowMs)},
      expires_at = ${at(failed.expiresMs)}
    WHERE id = ${id} AND state = 'waiting' RETURNING owner_id`);
}

/** Drops an owner's ready archive and keeps its row for counting; returns the key of its file, or null. */
export async function dropReadyExport(tx: Tx, ownerId: string): Promise<string | null> {
  return await tx.maybeOneFirst(sql.type(FileId)`
    WITH ready AS (SELECT id, file_id FROM owner_exports WHERE owner_id = ${ownerId} AND state = 'ready')
    UPDATE owner_exports e SET state = 'deleted', file_id = NULL, bytes = NULL, sha256 = NULL
    FROM ready WHERE e.id = ready.id RETURNING ready.file_id`);
}

/** How many archives an owner requested since a timestamp. */
export async function countExports(db: Db, ownerId: string, sinceMs: number): Promise<number> {
  return await db.oneFirst(sql.type(Count)`
    SELECT count(*) FROM owner_exports WHERE owner_id = ${ownerId} AND ordered_at >= ${at(sinceMs)}`);
}

/** Claims pending requests without progress since a timestamp, at most a hundred at once. */
export async function touchSilentExports(tx: Tx, beforeMs: number, nowMs: number) {
  return await tx.anyFirst(sql.type(Id)`
    UPDATE owner_exports SET touched_at = ${at(nowMs)}
    WHERE id IN (
      SELECT id FROM owner_exports WHERE state = 'waiting' AND touched_at < ${at(beforeMs)}
      ORDER BY touched_at LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING id`);
}

/** Deletes expired archives; returns their owners and the keys of their files. */
export async function deleteExpiredExports(tx: Tx, nowMs: number) {
  return await tx.any(sql.type(ExportRow.pick({ id: true, owner_id: true, file_id: true }))`
    DELETE FROM owner_exports WHERE expires_at <= ${at(nowMs)} RETURNING id, owner_id, file_id`);
}

/** Deletes every archive and request of an owner; returns the keys of the files. */
export async function deleteExportsOf(tx: Tx, ownerId: string): Promise<readonly string[]> {
  const rows = await tx.any(sql.type(ExportRow.pick({ file_id: true }))`
    DELETE FROM owner_exports WHERE owner_id = ${ownerId} RETURNING file_id`);
  return rows.flatMap(({ file_id }) => file_id ?? []);
}
