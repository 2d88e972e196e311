import { z } from "zod";
import { type Db, sql, texts } from "../connection/pool.ts";
import { creationIsOpen } from "./open-to-readers.ts";

const OpenFileRow = z.strictObject({
  asset_id: z.string(),
  format: z.enum(["csv", "json", "txt", "md"]),
  filename: z.string(),
  bytes: z.number(),
  content_sha256: z.string(),
  listed: z.boolean(),
  creation_ids: z.array(z.string()),
});
export type OpenFileRow = z.infer<typeof OpenFileRow>;

/**
 * A file that readers may fetch now: a published revision of an open creation uses it, and neither content
 * nor bytes were removed. `creation_ids` are the open creations whose live revision has it; where only earlier revisions
 * have it, the open creations of those.
 */
export async function findOpenFile(db: Db, assetId: string): Promise<OpenFileRow | null> {
  return await db.maybeOne(sql.type(OpenFileRow)`
    SELECT s.id AS asset_id, s.format, s.filename, s.bytes, s.content_sha256,
      bool_or(c.visibility = 'public') AS listed,
      coalesce(array_agg(DISTINCT c.id) FILTER (WHERE r.id = c.live_revision_id), array_agg(DISTINCT c.id)) AS creation_ids
    FROM assets s JOIN revision_files f ON f.asset_id = s.id
      JOIN creation_revisions r ON r.id = f.revision_id JOIN creations c ON c.id = r.creation_id
      JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
    WHERE s.id = ${assetId} AND s.file_deleted_at IS NULL AND r.state = 'published'
      AND r.content_removed_at IS NULL AND r.files_deleted_at IS NULL AND ${creationIsOpen}
    GROUP BY s.id`);
}

/** Those of these files that readers may fetch now from a creation's published revisions. */
export async function listOpenFilesOf(
  db: Db,
  creationId: string,
  assetIds: readonly string[],
): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(z.strictObject({ asset_id: z.string() }))`
    SELECT DISTINCT f.asset_id
    FROM revision_files f JOIN creation_revisions r ON r.id = f.revision_id JOIN assets s ON s.id = f.asset_id
      JOIN creations c ON c.id = r.creation_id JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
    WHERE f.asset_id = ANY(${texts(assetIds)}) AND r.creation_id = ${creationId} AND s.file_deleted_at IS NULL
      AND r.state = 'published' AND r.content_removed_at IS NULL AND r.files_deleted_at IS NULL AND ${creationIsOpen}`);
}

const PageOfFileRow = z.strictObject({ handle: z.string(), slug: z.string(), listed: z.boolean() });

/** The pages of open creations that publish a file, the oldest first; as many as a Link header may name. */
export async function listPagesOfFile(
  db: Db,
  assetId: string,
): Promise<readonly z.infer<typeof PageOfFileRow>[]> {
  return await db.any(sql.type(PageOfFileRow)`
    SELECT a.handle, c.slug, c.visibility = 'public' AS listed
    FROM creations c JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
    WHERE c.id IN (
      SELECT r.creation_id FROM revision_files f JOIN creation_revisions r ON r.id = f.revision_id
      WHERE f.asset_id = ${assetId} AND r.state = 'published' AND r.content_removed_at IS NULL
        AND r.files_deleted_at IS NULL) AND ${creationIsOpen}
    ORDER BY c.visibility = 'public' DESC, c.id LIMIT 10`);
}
