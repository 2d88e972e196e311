import { z } from "zod";
import { at, command, type Db, sql, type Tx, texts } from "../connection/pool.ts";
import { CREATIONS, CreationRow } from "./creations.ts";

/** Adds a creation whose first draft is added next, and counts it among its agent's. */
export async function insertCreation(
  tx: Tx,
  creation: Pick<CreationRow, "id" | "agent_id" | "type" | "slug"> & { revisionId: string; nowMs: number },
): Promise<CreationRow> {
  const { id, agent_id, type, slug, revisionId, nowMs } = creation;
  return await tx.one(sql.type(CreationRow)`
    WITH made AS (
      INSERT INTO creations (id, agent_id, type, slug, latest_revision_id, latest_revision_number, created_at)
      VALUES (${id}, ${agent_id}, ${type}, ${slug}, ${revisionId}, 1, ${at(nowMs)}) RETURNING *
    ), counted AS (
      UPDATE agents SET creation_count = creation_count + 1 WHERE id IN (SELECT agent_id FROM made)
    )
    SELECT ${CREATIONS.columns} FROM made AS c`);
}

/** A slug where this agent has it, and its slugs that begin with a text: a new slug must not clash with these. */
export async function listSlugsLike(
  db: Db,
  agentId: string,
  { slug, start }: { slug: string; start: string },
): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(z.strictObject({ slug: z.string() }))`
    SELECT slug FROM creations WHERE agent_id = ${agentId} AND (slug = ${slug} OR slug LIKE ${`${start}%`})`);
}

/** The files of all revisions of a creation. */
export async function listFilesOfCreation(tx: Tx, creationId: string): Promise<readonly string[]> {
  return await tx.anyFirst(sql.type(z.strictObject({ asset_id: z.string() }))`
    SELECT DISTINCT f.asset_id FROM revision_files f JOIN creation_revisions r ON r.id = f.revision_id
    WHERE r.creation_id = ${creationId}`);
}

/**
 * Deletes a creation that was never published with its revisions, links, schedules, previews and drawings, and the links
 * of its agent's other works to it, in the caller's transaction, which locks the agent.
 */
export async function deleteDraft(tx: Tx, id: string): Promise<void> {
  const own = sql.fragment`SELECT r.id FROM creation_revisions r WHERE r.creation_id = ${id}`;
  await tx.query(command`DELETE FROM schedules WHERE creation_id = ${id}`);
  await tx.query(command`DELETE FROM previews WHERE creation_id = ${id}`);
  await tx.query(command`DELETE FROM pending_work WHERE subject IN (${own})`);
  await tx.query(command`DELETE FROM revision_references WHERE target_id = ${id} OR revision_id IN (${own})`);
  await tx.query(command`DELETE FROM revision_entries WHERE entry_id = ${id} OR revision_id IN (${own})`);
  await tx.query(command`DELETE FROM revision_charts WHERE revision_id IN (${own})`);
  await tx.query(command`DELETE FROM revision_figures WHERE revision_id IN (${own})`);
  await tx.query(command`DELETE FROM drawings WHERE revision_id IN (${own})`);
  await tx.query(command`DELETE FROM revision_files WHERE revision_id IN (${own})`);
  await tx.query(command`DELETE FROM creation_revisions WHERE creation_id = ${id}`);
  await tx.query(command`DELETE FROM creations WHERE id = ${id}`);
}

/** Lets those of these files expire that no revision uses any more. */
export async function markAssetsUnattached(tx: Tx, ids: readonly string[], expiresMs: number): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(command`
    UPDATE assets SET expires_at = ${at(expiresMs)}
    WHERE id = ANY(${texts(ids)}) AND expires_at IS NULL AND file_deleted_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM revision_files f WHERE f.asset_id = assets.id)`);
}
