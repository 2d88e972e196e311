import { z } from "zod";
import { command, type Db, sql, type Tx, texts } from "../connection/pool.ts";
import { creationIsListed, creationIsOpen } from "../reading/open-to-readers.ts";
import { AsRead, asRead, FormatColumn } from "./canonical-files.ts";
import type { WatchedAnswer } from "./watched-questions.ts";

/** What the newest data say of a figure or a chart. */
export const StandingState = z.enum(["holds", "differs", "cannot_be_asked", "source_closed", "not_asked"]);
export type StandingState = z.infer<typeof StandingState>;

const StandingRow = z.strictObject({
  id: z.number(),
  kind: z.enum(["figure", "chart", "watch"]),
  place: z.number(),
  /** Of a watched question the work that it names. */
  creation_id: z.string(),
  revision_id: z.string().nullable(),
  agent_id: z.string(),
  asset_id: z.string(),
  state: StandingState,
  /** What is kept: the hash of the bytes that were asked, the canonical question, and the value or the hash of the rows. */
  content_sha256: z.string(),
  question: z.string(),
  kept: z.string(),
  /** The figure as its payload has it, as JSON text; null of a chart. */
  figure: z.string().nullable(),
});
/** A standing question of a live text, or one that an agent watches. */
export type StandingRow = z.infer<typeof StandingRow>;

const standing = sql.fragment`
    SELECT q.id, q.kind, q.place, coalesce(q.creation_id, q.source_id) AS creation_id, q.revision_id,
      coalesce(q.agent_id, c.agent_id) AS agent_id, q.asset_id, q.state,
      coalesce(f.content_sha256, k.content_sha256, CASE q.state WHEN 'holds' THEN q.live_sha256 ELSE '' END)
        AS content_sha256,
      coalesce(f.question::text, k.question::text, q.question) AS question,
      coalesce(f.value, k.rows_sha256, q.answer_sha256) AS kept,
      (r.payload -> 'figures' -> CASE WHEN q.kind = 'figure' THEN q.place::int END)::text AS figure
    FROM standing_questions q LEFT JOIN creations c ON c.id = q.creation_id
      LEFT JOIN creation_revisions r ON r.id = q.revision_id
      LEFT JOIN revision_figures f ON q.kind = 'figure' AND f.revision_id = q.revision_id AND f.position = q.place
      LEFT JOIN revision_charts k ON q.kind = 'chart' AND k.revision_id = q.revision_id AND k.chart_number = q.place`;

/** The standing questions of a live text. */
export async function listStandingOf(db: Db, creationId: string): Promise<readonly StandingRow[]> {
  return await db.any(sql.type(StandingRow)`${standing} WHERE q.creation_id = ${creationId} ORDER BY q.id`);
}

/** The standing questions that a work answered, or that name it or a file of its published revisions, after an id. */
export async function listStandingAbout(db: Db, workId: string, afterId: number, most: number) {
  return await db.any(sql.type(StandingRow)`${standing}
    WHERE q.id > ${afterId} AND (q.source_id = ${workId} OR q.kind <> 'watch' AND q.asset_id IN (
      SELECT l.asset_id FROM creation_revisions p JOIN revision_files l ON l.revision_id = p.id
      WHERE p.creation_id = ${workId} AND p.state = 'published'))
    ORDER BY q.id LIMIT ${most}`);
}

const SourceRow = z.strictObject({
  asset_id: z.string(),
  source_id: z.string(),
  agent_id: z.string(),
  /** The newest published revision of the work that has the file. */
  base_id: z.string(),
  base_number: z.number(),
  live_id: z.string(),
  live_number: z.number(),
  is_listed: z.boolean(),
});
/** The open work that answers for a file. */
export type StandingSourceRow = z.infer<typeof SourceRow>;

const WorkRow = z.strictObject({ id: z.string() });

/**
 * Works with a file of which a question was not asked yet, as a process of the version before published its text, and
 * works that a watched question was not asked of as they are now, as such a process did not ask it.
 */
export async function listWorksToAsk(db: Db, most: number): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(WorkRow)`
    SELECT r.creation_id AS id
    FROM standing_questions q JOIN revision_files f ON f.asset_id = q.asset_id
      JOIN creation_revisions r ON r.id = f.revision_id
    WHERE q.state = 'not_asked' AND r.state = 'published'
    UNION SELECT c.id FROM standing_questions q JOIN creations c ON c.id = q.source_id
      JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
      LEFT JOIN creation_revisions live ON live.id = c.live_revision_id AND ${creationIsListed}
    WHERE q.kind = 'watch' AND q.revision_number IS DISTINCT FROM live.revision_number
    LIMIT ${most}`);
}

/** Of each file, the work that answers for it: the first published among the open ones with a revision that has it. */
export async function listStandingSources(db: Db, assetIds: readonly string[]) {
  return await db.any(sql.type(SourceRow)`
    SELECT DISTINCT ON (f.asset_id) f.asset_id, c.id AS source_id, c.agent_id, r.id AS base_id,
      r.revision_number AS base_number, live.id AS live_id, live.revision_number AS live_number, c.visibility = 'public' AS is_listed
    FROM revision_files f JOIN creation_revisions r ON r.id = f.revision_id JOIN creations c ON c.id = r.creation_id
      JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
      JOIN creation_revisions live ON live.id = c.live_revision_id
    WHERE f.asset_id = ANY(${texts(assetIds)}) AND r.state = 'published' AND r.content_removed_at IS NULL
      AND ${creationIsOpen}
    ORDER BY f.asset_id, c.first_published_at, c.id, r.revision_number DESC`);
}

const OwnRow = z.strictObject({ id: z.string() });

/** Those of an agent's files that no published revision has had. */
export async function listUnpublishedFiles(
  db: Db,
  agentId: string,
  assetIds: readonly string[],
): Promise<string[]> {
  const rows = await db.any(sql.type(OwnRow)`
    SELECT s.id FROM assets s WHERE s.agent_id = ${agentId} AND s.id = ANY(${texts(assetIds)}) AND NOT EXISTS (
      SELECT 1 FROM revision_files f JOIN creation_revisions r ON r.id = f.revision_id
      WHERE f.asset_id = s.id AND r.state = 'published')`);
  return rows.map(({ id }) => id);
}

/** Keeps the works that have these files, and one more, as they are until the transaction ends. */
export async function holdWorksWith(
  tx: Tx,
  assetIds: readonly string[],
  workId: string | null = null,
): Promise<void> {
  await tx.query(sql.type(z.unknown())`
    SELECT 1 FROM creations WHERE id = ${workId} OR id IN (
      SELECT r.creation_id FROM revision_files f JOIN creation_revisions r ON r.id = f.revision_id
      WHERE f.asset_id = ANY(${texts(assetIds)}) AND r.state = 'published')
    ORDER BY id FOR SHARE`);
}

const PairedRow = z.strictObject({
  revision_id: z.string(),
  asset_id: z.string(),
  label: z.string(),
  filename: z.string(),
  format: FormatColumn,
  content_sha256: z.string(),
  ...AsRead,
  is_gone: z.boolean(),
});
/** A file of a revision, as standing questions find the one that stands in its place. */
export type StandingFileRow = z.infer<typeof PairedRow>;

/** The files of these revisions, in their order. */
export async function listStandingFiles(db: Db, revisionIds: readonly string[]) {
  return await db.any(sql.type(PairedRow)`
    SELECT f.revision_id, f.asset_id, f.label, s.filename, s.format, s.content_sha256, ${asRead},
      s.file_deleted_at IS NOT NULL AS is_gone
    FROM revision_files f JOIN assets s ON s.id = f.asset_id
    WHERE f.revision_id = ANY(${texts(revisionIds)}) ORDER BY f.revision_id, f.position`);
}

/** What is kept of an answer. */
export interface StandingAnswer {
  state: StandingState;
  source: {
    id: string;
    revision_number: number;
    asset_id: string | null;
    content_sha256: string | null;
  } | null;
  value: string | null;
  rowsChanged: number | null;
  reason: string | null;
  askedMs: number | null;
  /** Of a watched question that has another answer. */
  watched?: WatchedAnswer;
}

/** Keeps what standing questions were answered. */
export async function updateStanding(
  tx: Tx,
  answers: readonly (readonly [id: number, StandingAnswer])[],
): Promise<void> {
  if (answers.length === 0) return;
  const rows = answers.map(([id, { state, source, value, rowsChanged, reason, askedMs }]) => [
    ...[id, state, source?.id ?? null, source?.revision_number ?? null, source?.asset_id ?? null],
    ...[source?.content_sha256 ?? null, value, rowsChanged, reason, askedMs],
  ]);
  const types = ["int8", "text", "text", "int4", "text", "text", "text", "int4", "text", "float8"];
  await tx.query(command`
    UPDATE standing_questions q SET state = n.state,
      source_id = CASE q.kind WHEN 'watch' THEN q.source_id ELSE n.source_id END, revision_number = n.revision_number,
      live_asset_id = n.asset_id, live_sha256 = n.sha256, value = n.value, rows_changed = n.rows_changed,
      reason = n.reason, asked_at = to_timestamp(n.asked_ms / 1000)
    FROM ${sql.unnest(rows, types)} AS n (id, state, source_id, revision_number, asset_id, sha256, value, rows_changed,
      reason, asked_ms)
    WHERE q.id = n.id`);
}
