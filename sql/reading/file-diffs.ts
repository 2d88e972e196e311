import { z } from "zod";
import { at, command, type Db, type Fragment, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";
import { openFilesOf } from "./open-files.ts";

/**
 * Notes that the files of a revision that goes live are to be compared with those of the published revision before it;
 * false for a first publication, and where the content before is gone.
 */
export async function insertComparison(tx: Tx, revisionId: string): Promise<boolean> {
  const { rowCount } = await tx.query(command`
    INSERT INTO revision_comparisons (revision_id, creation_id, base_id)
    SELECT r.id, r.creation_id, b.id
    FROM creation_revisions r JOIN LATERAL (
      SELECT e.id, e.content_removed_at FROM creation_revisions e
      WHERE e.creation_id = r.creation_id AND e.state = 'published' AND e.revision_number < r.revision_number
      ORDER BY e.revision_number DESC LIMIT 1) AS b ON b.content_removed_at IS NULL
    WHERE r.id = ${revisionId} ON CONFLICT (revision_id) DO NOTHING`);
  return rowCount > 0;
}

const UnfinishedRow = z.strictObject({
  revision_id: z.string(),
  creation_id: z.string(),
  base_id: z.string(),
  agent_id: z.string(),
});
export type UnfinishedRow = z.infer<typeof UnfinishedRow>;

/** A comparison that is not finished; null for any other. */
export async function findUnfinishedComparison(db: Db, revisionId: string): Promise<UnfinishedRow | null> {
  return await db.maybeOne(sql.type(UnfinishedRow)`
    SELECT p.revision_id, p.creation_id, p.base_id, c.agent_id
    FROM revision_comparisons p JOIN creations c ON c.id = p.creation_id
    WHERE p.revision_id = ${revisionId} AND p.finished_at IS NULL`);
}

/** A pair of files with other bytes, and what comparing them gave; the counts as JSON text. */
export type NewFileDiff = Pick<
  NonNullable<DataChangeRow["pair"]>,
  "base_asset_id" | "head_asset_id" | "outcome"
> &
  Pick<DataChangeRow, "rows"> & { position: number; base_sha256: string; head_sha256: string };

/** Saves what changed in each file, unless another run did or the content went meanwhile; tells which. */
export async function finishComparison(
  tx: Tx,
  revisionId: string,
  found: readonly NewFileDiff[],
  nowMs: number,
): Promise<boolean> {
  const { rowCount } = await tx.query(command`
    UPDATE revision_comparisons SET finished_at = ${at(nowMs)}
    WHERE revision_id = ${revisionId} AND finished_at IS NULL`);
  if (rowCount === 0) return false;
  if (found.length === 0) return true;
  const rows = found.map((pair) => [
    revisionId,
    pair.position,
    pair.base_asset_id,
    pair.head_asset_id,
    pair.base_sha256,
    pair.head_sha256,
    pair.outcome,
    pair.rows,
  ]);
  const types = ["text", "int2", "text", "text", "text", "text", "text", "text"];
  await tx.query(command`
    INSERT INTO revision_file_diffs (revision_id, position, base_asset_id, head_asset_id, base_sha256, head_sha256,
      outcome, rows)
    SELECT a, b, c, d, e, f, g, h::json FROM ${sql.unnest(rows, types)} AS pair (a, b, c, d, e, f, g, h)`);
  return true;
}

const Outcome = z.enum(["counted", "no_table", "several_tables", "too_long", "deleted"]);
export type Outcome = z.infer<typeof Outcome>;

export const DataChangeRow = z.strictObject({
  revision_number: z.number(),
  finished_at: Timestamp,
  pair: z
    .strictObject({
      base_asset_id: z.string(),
      head_asset_id: z.string(),
      outcome: Outcome,
      label: z.string(),
      /** Whether readers may fetch both files now. */
      is_open: z.boolean(),
    })
    .nullable(),
  rows: z.string().nullable(),
});
export type DataChangeRow = z.infer<typeof DataChangeRow>;

/**
 * What changed in the files of a creation's newest published revisions up to a number, in the order of the files: one
 * row with the pair null for a revision without a changed file, and none for one of which that is not known.
 */
export function dataChangesOf(creationId: string, of: { limit: number; upTo?: number }) {
  const upTo = of.upTo === undefined ? sql.fragment`true` : sql.fragment`r.revision_number <= ${of.upTo}`;
  const isOpen = (assetId: Fragment) => sql.fragment`EXISTS (${openFilesOf(creationId, assetId)})`;
  return sql.type(DataChangeRow)`
    SELECT shown.revision_number, p.finished_at, d.rows::text AS rows,
      CASE WHEN f.label IS NOT NULL THEN json_build_object('base_asset_id', d.base_asset_id,
        'head_asset_id', d.head_asset_id, 'outcome', d.outcome, 'label', f.label,
        'is_open', ${isOpen(sql.fragment`d.base_asset_id`)} AND ${isOpen(sql.fragment`d.head_asset_id`)}) END AS pair
    FROM (
      SELECT r.id, r.revision_number FROM creation_revisions r
      WHERE r.creation_id = ${creationId} AND r.state = 'published' AND ${upTo}
      ORDER BY r.revision_number DESC LIMIT ${of.limit}) AS shown
      JOIN revision_comparisons p ON p.revision_id = shown.id AND p.finished_at IS NOT NULL
      LEFT JOIN revision_file_diffs d ON d.revision_id = p.revision_id
      LEFT JOIN revision_files f ON f.revision_id = d.revision_id AND f.position = d.position
    ORDER BY shown.revision_number DESC, d.position`;
}

const KeptRow = z.strictObject({
  revision_id: z.string(),
  base_id: z.string(),
  base_sha256: z.string(),
  head_sha256: z.string(),
  rows: z.string(),
});
export type KeptRow = z.infer<typeof KeptRow>;

/** The counts that a creation keeps of pairs among files with these hashes, either way round, the newest first. */
export async function listKeptCounts(db: Db, creationId: string, hashes: readonly string[]) {
  return await db.any(sql.type(KeptRow)`
    SELECT p.revision_id, p.base_id, d.base_sha256, d.head_sha256, d.rows::text AS rows
    FROM revision_file_diffs d JOIN revision_comparisons p ON p.revision_id = d.revision_id
    WHERE p.creation_id = ${creationId} AND p.finished_at IS NOT NULL AND d.outcome = 'counted'
      AND d.base_sha256 = ANY(${texts(hashes)}) AND d.head_sha256 = ANY(${texts(hashes)})
    ORDER BY p.finished_at DESC, p.revision_id DESC`);
}
