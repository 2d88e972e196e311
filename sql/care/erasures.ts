import { z } from "zod";
import { at, command, type Db, Id, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";
import { storedBytes } from "../datasets/canonical-files.ts";
import { raised } from "../works/versioned.ts";

/**
 * Empties the rows around a creation whose revisions have lost their content: what sections and failed schedules say,
 * what readers wrote in reports, errors that they reported, how often it was read, its preview links, and work to
 * come. That others are told of its end stays to be done.
 */
export async function emptyRowsOfCreation(tx: Tx, id: string): Promise<void> {
  await tx.query(command`
    WITH undone AS (DELETE FROM pending_work WHERE kind <> 'ask-standing' AND (subject = ${id} OR subject IN (
        SELECT r.id FROM creation_revisions r WHERE r.creation_id = ${id}))),
      uncounted AS (DELETE FROM read_counts WHERE creation_id = ${id}),
      unshown AS (DELETE FROM previews WHERE creation_id = ${id}),
      reported AS (UPDATE reports SET note = NULL WHERE creation_id = ${id}),
      mistaken AS (DELETE FROM error_reports WHERE creation_id = ${id}),
      scheduled AS (UPDATE schedules SET outcome_detail = NULL WHERE creation_id = ${id})
    UPDATE creation_revisions SET section = NULL WHERE creation_id = ${id}`);
}

/** Empties the rows around an agent without content: what readers wrote about its front page, and work to come. */
export async function emptyRowsOfAgent(tx: Tx, id: string): Promise<void> {
  await tx.query(command`
    WITH undone AS (DELETE FROM pending_work WHERE subject = ${id} OR subject IN (
        SELECT p.id FROM profile_revisions p WHERE p.agent_id = ${id})),
      mistaken AS (DELETE FROM error_reports WHERE agent_id = ${id})
    UPDATE reports SET note = NULL WHERE agent_id = ${id}`);
}

const KeptFile = z.strictObject({
  file_id: z.string(),
  filename: z.string(),
  creation_id: z.string(),
  address: z.string(),
  draft: z.boolean(),
});
export type KeptFile = z.infer<typeof KeptFile>;

/** The creations whose content still has one of these files; `draft` where it was never published. */
export async function listOtherUsesOf(db: Db, fileIds: readonly string[]) {
  if (fileIds.length === 0) return [];
  return await db.any(sql.type(KeptFile)`
    SELECT DISTINCT f.asset_id AS file_id, s.filename, c.id AS creation_id, '@' || a.handle || '/' || c.slug AS address,
      c.first_published_at IS NULL AS draft
    FROM revision_files f JOIN creation_revisions r ON r.id = f.revision_id JOIN creations c ON c.id = r.creation_id
      JOIN agents a ON a.id = c.agent_id JOIN assets s ON s.id = f.asset_id
    WHERE f.asset_id = ANY(${texts(fileIds)}) AND s.file_deleted_at IS NULL
    ORDER BY file_id, creation_id`);
}

/**
 * Empties those of these files whose bytes are deleted and that no revision has any more: name, contents, figures,
 * kept answers and addresses of uploads. Their rows expire now, and a running inspection of one saves nothing.
 */
export async function emptyDeletedFiles(tx: Tx, ids: readonly string[], nowMs: number): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(command`
    WITH emptied AS (
      UPDATE assets SET readiness = 'failed', readiness_reason = 'The file was erased.', filename = 'removed',
        inspection = NULL, tables = NULL, hints = NULL, stats = NULL, column_forms = NULL,
        reading_index = NULL, dialect = NULL, piece_dialect = NULL, reading = NULL, expires_at = ${at(nowMs)}
      WHERE id = ANY(${texts(ids)}) AND file_deleted_at IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM revision_files f WHERE f.asset_id = assets.id)
      RETURNING id
    ), unanswered AS (DELETE FROM idempotency_keys WHERE asset_id IN (SELECT id FROM emptied)),
      unmeasured AS (DELETE FROM described_stats WHERE asset_id IN (SELECT id FROM emptied))
    DELETE FROM upload_addresses WHERE asset_id IN (SELECT id FROM emptied)`);
}

const Released = z.strictObject({ id: z.string(), bytes: z.number() });

/** Marks the bytes of every file as deleted that an agent still has; the files that had bytes. */
export async function releaseAllFiles(tx: Tx, agentId: string, nowMs: number) {
  return await tx.any(sql.type(Released)`
    UPDATE assets SET file_deleted_at = ${at(nowMs)} WHERE agent_id = ${agentId} AND file_deleted_at IS NULL
    RETURNING id, ${storedBytes} AS bytes`);
}

/** The ids of an agent's files. */
export async function listFileIdsOfAgent(db: Db, agentId: string): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(Id)`SELECT id FROM assets WHERE agent_id = ${agentId}`);
}

/** The creations of an agent that are not erased, at most `limit`. */
export async function listCreationsToErase(db: Db, agentId: string, limit: number) {
  return await db.anyFirst(sql.type(Id)`
    SELECT id FROM creations WHERE agent_id = ${agentId} AND erased_at IS NULL ORDER BY id LIMIT ${limit}`);
}

/** What watched questions keep of files that are gone. */
const unnamedFile = sql.fragment`label = 'removed', filename = 'removed'`;

/** Marks a private creation as erased; its slug was made of its title, so the id takes its place. */
export async function markCreationErased(tx: Tx, id: string, nowMs: number): Promise<void> {
  await tx.query(
    command`UPDATE standing_questions SET ${unnamedFile} WHERE kind = 'watch' AND source_id = ${id}`,
  );
  await tx.query(command`
    UPDATE creations SET erased_at = ${at(nowMs)}, slug = lower(id), data_changed_at = NULL,
      data_confirmed_at = NULL, data_due_at = NULL, data_overdue_at = NULL, data_frequency = NULL,
      data_sha256 = NULL, retracted_at = NULL, retracted_by = NULL, retracted_reason = NULL, superseded_by = NULL,
      reinstated_reason = NULL, retraction_marks = '[]',
      ${raised} WHERE id = ${id}`);
}

/** When an agent or an owner was erased, or null. */
export async function findErasure(db: Db, table: "agents" | "owners", id: string): Promise<number | null> {
  return await db.oneFirst(sql.type(z.strictObject({ erased_at: Timestamp.nullable() }))`
    SELECT erased_at FROM ${sql.identifier([table])} WHERE id = ${id}`);
}

/** Marks an archived agent, or an owner whose account is deleted, as erased. */
export async function markErased(tx: Tx, table: "agents" | "owners", id: string, nowMs: number) {
  await tx.query(command`UPDATE ${sql.identifier([table])} SET erased_at = ${at(nowMs)} WHERE id = ${id}`);
}

const Erasure = z.strictObject({
  subject_id: z.string(),
  kind: z.enum(["creation", "agent"]),
  drawings: z.array(z.string()),
});
export type ErasureRow = z.infer<typeof Erasure>;

/** Notes that an erasure has a second pass to come, with the drawings that it deletes again. */
export async function saveErasure(tx: Tx, erasure: ErasureRow, nowMs: number): Promise<void> {
  await tx.query(command`
    INSERT INTO erasures AS e (subject_id, kind, drawings, erased_at)
    VALUES (${erasure.subject_id}, ${erasure.kind}, ${texts(erasure.drawings)}, ${at(nowMs)})
    ON CONFLICT (subject_id) DO UPDATE SET drawings = e.drawings || EXCLUDED.drawings`);
}

/** Erasures of before a timestamp whose second pass is to come, at most `limit`. */
export async function listErasures(db: Db, beforeMs: number, limit: number) {
  return await db.any(sql.type(Erasure)`
    SELECT subject_id, kind, drawings FROM erasures WHERE erased_at <= ${at(beforeMs)}
    ORDER BY erased_at LIMIT ${limit}`);
}

/** Deletes what a page, a job or the count of reads may have stored since an erasure, and the note of its second pass. */
export async function finishErasure(tx: Tx, { subject_id: id, drawings }: ErasureRow): Promise<void> {
  await tx.query(command`
    WITH undrawn AS (DELETE FROM drawings WHERE hash = ANY(${texts(drawings)})),
      unpictured AS (DELETE FROM artworks WHERE creation_id = ${id} OR agent_id = ${id}),
      wordless AS (DELETE FROM search_creations WHERE creation_id = ${id} OR agent_id = ${id}),
      unnamed AS (DELETE FROM search_agents WHERE agent_id = ${id}),
      uncounted AS (DELETE FROM read_counts WHERE creation_id = ${id})
    DELETE FROM erasures WHERE subject_id = ${id}`);
}

/** Agents with texts whose owner left before a timestamp, at most `limit`. */
export async function listDepartedAgents(db: Db, beforeMs: number, limit: number) {
  return await db.anyFirst(sql.type(Id)`
    SELECT a.id FROM agents a JOIN owners o ON o.id = a.owner_id
    WHERE o.left_at <= ${at(beforeMs)} AND a.texts_removed_at IS NULL ORDER BY a.id LIMIT ${limit}`);
}

const Revision = z.strictObject({ id: z.string(), creation_id: z.string(), body: z.unknown() });

/** Revisions that still have their content, at most `limit`; `body` is their Markdown where they have one. */
export async function listRevisionsWithContent(
  db: Db,
  of: { agentId: string } | { creationId: string },
  limit: number,
) {
  const own =
    "agentId" in of ? sql.fragment`c.agent_id = ${of.agentId}` : sql.fragment`c.id = ${of.creationId}`;
  return await db.any(sql.type(Revision)`
    SELECT r.id, r.creation_id, r.payload -> 'body_markdown' AS body
    FROM creations c JOIN creation_revisions r ON r.creation_id = c.id
    WHERE ${own} AND r.content_removed_at IS NULL ORDER BY r.id LIMIT ${limit}`);
}

/** The Markdown texts of every profile of an agent. */
export async function listTextsOfProfiles(db: Db, agentId: string): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(z.strictObject({ text: z.string() }))`
    SELECT own.text FROM profile_revisions, LATERAL (
      VALUES (profile ->> 'introduction_markdown'), (profile ->> 'about_markdown')) AS own (text)
    WHERE agent_id = ${agentId} AND own.text IS NOT NULL`);
}

/**
 * Empties what an agent without revisions' content still says: profiles, its first name, names and figures of files,
 * sections, reasons of retractions, and slugs, which are made of titles; and how often its works were read. Handle, ids,
 * other numbers, times and checksums stay.
 */
export async function removeAgentTexts(tx: Tx, agentId: string, nowMs: number): Promise<void> {
  const own = sql.fragment`SELECT id FROM creations WHERE agent_id = ${agentId}`;
  await tx.query(command`UPDATE profile_revisions SET profile = '{}'::json WHERE agent_id = ${agentId}`);
  await tx.query(command`UPDATE creation_revisions SET section = NULL WHERE creation_id IN (${own})`);
  await tx.query(command`
    UPDATE creations SET slug = lower(id), retracted_at = NULL, retracted_by = NULL, retracted_reason = NULL,
      superseded_by = NULL, reinstated_reason = NULL, retraction_marks = '[]'
    WHERE agent_id = ${agentId}`);
  await tx.query(command`DELETE FROM read_counts WHERE creation_id IN (${own})`);
  await tx.query(command`
    UPDATE assets SET filename = 'removed', inspection = NULL, tables = NULL, hints = NULL, stats = NULL,
      column_forms = NULL, reading_index = NULL
    WHERE agent_id = ${agentId} AND file_deleted_at IS NOT NULL`);
  await tx.query(command`DELETE FROM described_stats WHERE agent_id = ${agentId}`);
  await tx.query(command`
    UPDATE standing_questions SET ${unnamedFile} WHERE kind = 'watch' AND source_id IN (${own})`);
  await tx.query(command`
    UPDATE agents SET enrolled_name = NULL, texts_removed_at = ${at(nowMs)} WHERE id = ${agentId}`);
}
