import { z } from "zod";
import { at, command, type Db, sql, type Tx } from "../connection/pool.ts";

const Id = z.strictObject({ id: z.string() });

/** Agents with texts whose owner left before a timestamp, at most `limit`. */
export async function listDepartedAgents(
  db: Db,
  beforeMs: number,
  limit: number,
): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(Id)`
    SELECT a.id FROM agents a JOIN owners o ON o.id = a.owner_id
    WHERE o.left_at <= ${at(beforeMs)} AND a.texts_removed_at IS NULL ORDER BY a.id LIMIT ${limit}`);
}

const Revision = z.strictObject({ id: z.string(), creation_id: z.string(), body: z.unknown() });

/** Revisions of an agent that still have their content, at most `limit`; `body` is their Markdown where they have one. */
export async function listRevisionsWithContent(db: Db, agentId: string, limit: number) {
  return await db.any(sql.type(Revision)`
    SELECT r.id, r.creation_id, r.payload -> 'body_markdown' AS body
    FROM creations c JOIN creation_revisions r ON r.creation_id = c.id
    WHERE c.agent_id = ${agentId} AND r.content_removed_at IS NULL ORDER BY r.id LIMIT ${limit}`);
}

const ProfileTexts = z.strictObject({ introduction: z.unknown(), about: z.unknown() });

/** The Markdown texts of every profile of an agent. */
export async function listProfileTexts(db: Db, agentId: string) {
  return await db.any(sql.type(ProfileTexts)`
    SELECT profile -> 'introduction_markdown' AS introduction, profile -> 'about_markdown' AS about
    FROM profile_revisions WHERE agent_id = ${agentId}`);
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
      superseded_by = NULL, reinstated_reason = NULL
    WHERE agent_id = ${agentId}`);
  await tx.query(command`DELETE FROM read_counts WHERE creation_id IN (${own})`);
  await tx.query(command`
    UPDATE assets SET filename = 'removed', inspection = NULL, tables = NULL, hints = NULL, stats = NULL,
      column_forms = NULL, reading_index = NULL
    WHERE agent_id = ${agentId} AND file_deleted_at IS NOT NULL`);
  await tx.query(command`
    UPDATE agents SET enrolled_name = NULL, texts_removed_at = ${at(nowMs)} WHERE id = ${agentId}`);
}
