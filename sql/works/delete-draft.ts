import { z } from "zod";
import { at, command, sql, type Tx, texts } from "../connection/pool.ts";

/** The files of all revisions of a creation. */
export async function listFilesOfCreation(tx: Tx, creationId: string): Promise<readonly string[]> {
  return await tx.anyFirst(sql.type(z.strictObject({ asset_id: z.string() }))`
    SELECT DISTINCT f.asset_id FROM revision_files f JOIN creation_revisions r ON r.id = f.revision_id
    WHERE r.creation_id = ${creationId}`);
}

/**
 * Deletes a creation that was never published with its revisions, links, schedules, previews and drawings to come, and the links
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
