import { z } from "zod";
import { at, Count, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";
import { creationIsOpen } from "../reading/open-to-readers.ts";

/** A link that shows a revision before it is published. */
const OpenPreview = z.strictObject({
  id: z.string(),
  revision_number: z.number(),
  created_at: Timestamp,
  expires_at: Timestamp,
});
type OpenPreviewRow = z.infer<typeof OpenPreview>;

const ShownPreview = z.strictObject({
  creation_id: z.string(),
  agent_id: z.string(),
  revision_number: z.number(),
  expires_at: Timestamp,
  replaced: z.boolean(),
  open: z.boolean(),
});
/** A link that works; `replaced` once its revision or a later one is live, `open` where readers can open the work. */
export type ShownPreviewRow = z.infer<typeof ShownPreview>;

const isLive = (nowMs: number) => sql.fragment`(p.ended_at IS NULL AND p.expires_at > ${at(nowMs)})`;

/** Adds a link. */
export async function insertPreview(
  tx: Tx,
  preview: Omit<OpenPreviewRow, "revision_number"> &
    Record<"agent_id" | "creation_id" | "revision_id", string>,
): Promise<void> {
  await tx.query(command`
    INSERT INTO previews (id, agent_id, creation_id, revision_id, created_at, expires_at)
    VALUES (${preview.id}, ${preview.agent_id}, ${preview.creation_id}, ${preview.revision_id},
      ${at(preview.created_at)}, ${at(preview.expires_at)})`);
}

/** The links of a creation that neither ended nor expired, the newest first. */
export async function listOpenPreviews(db: Db, creationId: string, nowMs: number) {
  return await db.any(sql.type(OpenPreview)`
    SELECT p.id, r.revision_number, p.created_at, p.expires_at
    FROM previews p JOIN creation_revisions r ON r.id = p.revision_id
    WHERE p.creation_id = ${creationId} AND ${isLive(nowMs)} ORDER BY p.created_at DESC, p.id DESC`);
}

/** How many links of an agent neither ended nor expired. */
export async function countOpenPreviewsOf(db: Db, agentId: string, nowMs: number): Promise<number> {
  return await db.oneFirst(sql.type(Count)`
    SELECT count(*) FROM previews p WHERE p.agent_id = ${agentId} AND ${isLive(nowMs)}`);
}

/**
 * A link that works now: it neither ended nor expired, its agent is neither stopped nor forbidden to have links, and the
 * work is not hidden.
 */
export async function findShownPreview(db: Db, id: string, nowMs: number): Promise<ShownPreviewRow | null> {
  return await db.maybeOne(sql.type(ShownPreview)`
    SELECT p.creation_id, p.agent_id, r.revision_number, p.expires_at,
      coalesce(l.revision_number >= r.revision_number, false) AS replaced, ${creationIsOpen} AS open
    FROM previews p JOIN creation_revisions r ON r.id = p.revision_id JOIN creations c ON c.id = p.creation_id
      JOIN agents a ON a.id = p.agent_id JOIN owners o ON o.id = a.owner_id
      LEFT JOIN creation_revisions l ON l.id = c.live_revision_id
    WHERE p.id = ${id} AND ${isLive(nowMs)} AND a.previews_off_at IS NULL AND a.paused_at IS NULL
      AND a.suspended_at IS NULL AND a.archived_at IS NULL AND o.status = 'active' AND c.hidden_at IS NULL
      AND c.erased_at IS NULL AND r.content_removed_at IS NULL`);
}

/** Ends the links of a creation that lead to its page by now, in the caller's transaction, which closes the page. */
export async function endReplacedPreviews(tx: Tx, creationId: string, nowMs: number): Promise<void> {
  await tx.query(command`
    UPDATE previews p SET ended_at = ${at(nowMs)}
    FROM creation_revisions r, creations c JOIN creation_revisions l ON l.id = c.live_revision_id
    WHERE p.creation_id = ${creationId} AND c.id = p.creation_id AND r.id = p.revision_id
      AND l.revision_number >= r.revision_number AND ${isLive(nowMs)}`);
}

/** Ends the links of an agent, those of a creation, or one of them; returns how many were open. */
export async function endPreviewsOf(
  tx: Tx,
  of: { agentId: string } | { creationId: string; id?: string },
  nowMs: number,
): Promise<number> {
  const named = "id" in of && of.id !== undefined ? sql.fragment`p.id = ${of.id}` : sql.fragment`true`;
  const whose =
    "agentId" in of
      ? sql.fragment`p.agent_id = ${of.agentId}`
      : sql.fragment`p.creation_id = ${of.creationId}`;
  const { rowCount } = await tx.query(command`
    UPDATE previews p SET ended_at = ${at(nowMs)} WHERE ${whose} AND ${named} AND ${isLive(nowMs)}`);
  return rowCount;
}

/** Since when an agent may make no links; null where it may. */
export async function findPreviewsOff(db: Db, agentId: string): Promise<number | null> {
  return await db.oneFirst(sql.type(z.strictObject({ previews_off_at: Timestamp.nullable() }))`
    SELECT previews_off_at FROM agents WHERE id = ${agentId}`);
}
