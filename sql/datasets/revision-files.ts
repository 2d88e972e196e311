import { z } from "zod";
import { at, command, type Db, type Fragment, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";
import { fileIsOpen, fromRevisionFiles } from "../reading/open-to-readers.ts";
import { AsRead, asRead, FormatColumn, storedBytes } from "./canonical-files.ts";

/** What a file's columns mean, as JSON text, with what the check of its rules found. */
export interface NewDictionary {
  dictionary: string;
  checks: string;
  /** Of all that the checks depend on. */
  rulesSha256: string;
}

interface NewFile {
  asset_id: string;
  label: string;
  notes: string | null;
}

/** Adds the files of a revision, in their order, each with its dictionary at the same place where it has one. */
export async function insertFiles(
  tx: Tx,
  revisionId: string,
  files: readonly NewFile[],
  dictionaries: readonly (NewDictionary | null)[],
): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map((file, position) => {
    const { dictionary = null, checks = null, rulesSha256 = null } = dictionaries[position] ?? {};
    return [revisionId, position, file.asset_id, file.label, file.notes, dictionary, checks, rulesSha256];
  });
  const types = ["text", "int2", "text", "text", "text", "text", "text", "text"];
  await tx.query(command`
    INSERT INTO revision_files (revision_id, position, asset_id, label, notes, dictionary, checks, rules_sha256)
    SELECT n.revision_id, n.position, n.asset_id, n.label, n.notes, n.dictionary::json, n.checks::json, n.rules_sha256
    FROM ${sql.unnest(rows, types)}
      AS n (revision_id, position, asset_id, label, notes, dictionary, checks, rules_sha256)`);
}

export const FileRow = z.strictObject({
  asset_id: z.string(),
  label: z.string(),
  notes: z.string().nullable(),
  format: FormatColumn,
  filename: z.string(),
  bytes: z.number(),
  content_sha256: z.string(),
  ...AsRead,
  dialect: z.string().nullable(),
  reading: z.string().nullable(),
  readiness: z.enum(["processing", "ready", "failed"]),
  file_deleted_at: Timestamp.nullable(),
  inspection: z.string().nullable(),
  tables: z.string().nullable(),
  dictionary: z.string().nullable(),
  checks: z.string().nullable(),
});

export type FileRow = z.infer<typeof FileRow>;

/**
 * The files of a revision in their order, with their inspection results (as JSON text, so that numbers keep
 * their digits).
 */
export async function listFilesOfRevision(db: Db, revisionId: string): Promise<readonly FileRow[]> {
  return await db.any(sql.type(FileRow)`${filesOf(revisionId)} ORDER BY f.position`);
}

/** The same as part of a statement, without an order: the position of a file is `f.position`, its file is `s`. */
export function filesOf(revisionId: string) {
  return sql.fragment`
    SELECT f.asset_id, f.label, f.notes, s.format, s.filename, s.bytes, s.content_sha256, ${asRead},
      s.dialect::text AS dialect, s.reading::text AS reading, s.readiness,
      s.file_deleted_at, s.inspection::text AS inspection, s.tables::text AS tables,
      f.dictionary::text AS dictionary, f.checks::text AS checks
    FROM revision_files f JOIN assets s ON s.id = f.asset_id
    WHERE f.revision_id = ${revisionId}`;
}

/** A revision, and when its files were deleted. */
export type FileHolder = Readonly<{ id: string; files_deleted_at: number | null }>;

/** The files of a revision that still have their bytes, in their order. */
export async function listKeptFiles(db: Db, revision: FileHolder): Promise<readonly FileRow[]> {
  return await db.any(sql.type(FileRow)`${keptFilesOf(revision)}`);
}

/**
 * The same as part of a statement; of a revision whose files were deleted those that its work still publishes: whether
 * another work does changes without this work's page version.
 */
export function keptFilesOf({ id, files_deleted_at }: FileHolder) {
  const isOpen = sql.fragment`AND EXISTS (SELECT 1 ${fromRevisionFiles} WHERE f.asset_id = s.id AND ${fileIsOpen}
    AND c.id = (SELECT creation_id FROM creation_revisions WHERE id = ${id}))`;
  return sql.fragment`
    ${filesOf(id)} AND s.file_deleted_at IS NULL ${files_deleted_at === null ? sql.fragment`` : isOpen}
    ORDER BY f.position`;
}

const UsingRow = z.strictObject({
  id: z.string(),
  title: z.string(),
  is_draft: z.boolean(),
  total: z.number(),
});
export type UsingRow = z.infer<typeof UsingRow>;

/** The creations of which a revision uses a file, with the titles of their newest revisions. */
export async function listCreationsUsing(db: Db, assetId: string, most: number) {
  return await db.any(sql.type(UsingRow)`
    SELECT c.id, latest.title, c.first_published_at IS NULL AS is_draft, count(*) OVER () AS total
    FROM creations c JOIN creation_revisions latest ON latest.id = c.latest_revision_id
    WHERE c.id IN (
      SELECT r.creation_id FROM revision_files f JOIN creation_revisions r ON r.id = f.revision_id
      WHERE f.asset_id = ${assetId})
    ORDER BY c.created_at, c.id LIMIT ${most}`);
}

const NamesRow = z.strictObject({
  revision_id: z.string(),
  label: z.string(),
  inspection: z.string().nullable(),
  tables: z.string().nullable(),
});

/** The labels and inspection results of the files of several revisions. */
export async function listFilesOfRevisions(db: Db, revisionIds: readonly string[]) {
  if (revisionIds.length === 0) return [];
  return await db.any(sql.type(NamesRow)`
    SELECT f.revision_id, f.label, s.inspection::text AS inspection, s.tables::text AS tables
    FROM revision_files f JOIN assets s ON s.id = f.asset_id
    WHERE f.revision_id = ANY (${texts(revisionIds)}) ORDER BY f.revision_id, f.position`);
}

const AgedRow = z.strictObject({ id: z.string(), creation_id: z.string(), agent_id: z.string() });

/** Revisions that were replaced before a timestamp and still have their files. */
export async function listRevisionsWithAgedFiles(db: Db, beforeMs: number) {
  return await db.any(sql.type(AgedRow)`
    SELECT r.id, r.creation_id, c.agent_id
    FROM creation_revisions r JOIN creations c ON c.id = r.creation_id
    WHERE r.replaced_at <= ${at(beforeMs)} AND r.files_deleted_at IS NULL AND r.content_removed_at IS NULL
      AND r.id IS DISTINCT FROM c.live_revision_id
      AND EXISTS (SELECT 1 FROM revision_files f WHERE f.revision_id = r.id)
    ORDER BY r.replaced_at LIMIT 200`);
}

/** Marks a revision's files as deleted. */
export async function markFilesDeleted(tx: Tx, id: string, nowMs: number): Promise<void> {
  await tx.query(command`
    UPDATE creation_revisions SET files_deleted_at = ${at(nowMs)} WHERE id = ${id} AND files_deleted_at IS NULL`);
}

const ChecksRow = z.strictObject({ checks: z.string() });

/** What an earlier check of the same file under the same rules found, as JSON text; null where there was none. */
export async function findEarlierChecks(db: Db, assetId: string, rulesSha256: string) {
  return await db.maybeOneFirst(sql.type(ChecksRow)`
    SELECT checks::text AS checks FROM revision_files
    WHERE asset_id = ${assetId} AND rules_sha256 = ${rulesSha256} LIMIT 1`);
}

const DictionaryRow = z.strictObject({ dictionary: z.string().nullable() });

/**
 * The dictionary of a file as readers see it, as part of a statement: in the live revision that holds it, else in the
 * newest published one; of several works, in the one that was published first.
 */
export function openDictionaryOf(assetId: Fragment) {
  return sql.fragment`
    SELECT f.dictionary::text AS dictionary ${fromRevisionFiles}
    WHERE f.asset_id = ${assetId} AND ${fileIsOpen}
    ORDER BY r.id = c.live_revision_id DESC, c.first_published_at, c.id, r.revision_number DESC, f.position LIMIT 1`;
}

/** The dictionary of a file as readers see it, as JSON text; null where they see none. */
export async function findOpenDictionary(db: Db, assetId: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(DictionaryRow)`${openDictionaryOf(sql.fragment`${assetId}`)}`);
}

const Released = z.strictObject({ id: z.string(), bytes: z.number() });

/** Marks the bytes of a revision's files as deleted, except files that another revision still has. */
export async function releaseFilesOfRevision(tx: Tx, revisionId: string, nowMs: number) {
  return await tx.any(sql.type(Released)`
    UPDATE assets SET file_deleted_at = ${at(nowMs)}
    WHERE id IN (SELECT asset_id FROM revision_files WHERE revision_id = ${revisionId})
      AND file_deleted_at IS NULL
      AND NOT EXISTS (
        SELECT 1 FROM revision_files f JOIN creation_revisions r ON r.id = f.revision_id
        WHERE f.asset_id = assets.id AND r.id <> ${revisionId}
          AND r.files_deleted_at IS NULL AND r.content_removed_at IS NULL)
    RETURNING id, ${storedBytes} AS bytes`);
}
