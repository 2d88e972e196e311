import { z } from "zod";
import { at, command, type Db, sql, type Tx, texts } from "../connection/pool.ts";

const DrawingRow = z.strictObject({ hash: z.string(), html: z.string() });
export type DrawingRow = z.infer<typeof DrawingRow>;

/** The stored drawings of these hashes. */
export async function listDrawings(db: Db, hashes: readonly string[]): Promise<readonly DrawingRow[]> {
  if (hashes.length === 0) return [];
  return await db.any(
    sql.type(DrawingRow)`SELECT hash, html FROM drawings WHERE hash = ANY(${texts(hashes)})`,
  );
}

/**
 * Stores a drawing, or the text that stands for one, for the revision that has it, unless that was deleted; what another
 * process stored meanwhile stays.
 */
export async function saveDrawing(
  db: Db,
  { hash, html, revisionId }: DrawingRow & { revisionId: string },
  nowMs: number,
): Promise<void> {
  await db.query(command`
    INSERT INTO drawings (hash, html, revision_id, drawn_at)
    SELECT ${hash}, ${html}, ${revisionId}, ${at(nowMs)} WHERE agent_of_revision(${revisionId}) IS NOT NULL
    ON CONFLICT (hash) DO NOTHING`);
}

/** Deletes the drawings that were made for a revision. */
export async function deleteDrawingsOfRevision(tx: Tx, revisionId: string): Promise<void> {
  await tx.query(command`DELETE FROM drawings WHERE revision_id = ${revisionId}`);
}

/** Deletes the drawings of these hashes. */
export async function deleteDrawings(tx: Tx, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await tx.query(command`DELETE FROM drawings WHERE hash = ANY(${texts(hashes)})`);
}

const TextRow = z.strictObject({ text: z.string() });

/**
 * The Markdown texts of a saved creation or profile revision; none once its content was removed, or another draft has
 * replaced it.
 */
export async function listSavedTexts(db: Db, of: "creation" | "profile", revisionId: string) {
  if (of === "creation") {
    return await db.anyFirst(sql.type(TextRow)`
      SELECT r.payload ->> 'body_markdown' AS text FROM creation_revisions r JOIN creations c ON c.id = r.creation_id
      WHERE r.id = ${revisionId} AND r.payload ->> 'body_markdown' IS NOT NULL
        AND (r.state = 'published' OR r.id = c.latest_revision_id)`);
  }
  return await db.anyFirst(sql.type(TextRow)`
    SELECT member.text FROM profile_revisions p JOIN agents a ON a.id = p.agent_id
      CROSS JOIN LATERAL (VALUES (p.profile ->> 'introduction_markdown'), (p.profile ->> 'about_markdown'))
        AS member (text)
    WHERE p.id = ${revisionId} AND member.text IS NOT NULL AND (p.state = 'published' OR p.id = a.latest_profile_id)`);
}
