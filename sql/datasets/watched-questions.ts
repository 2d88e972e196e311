import { z } from "zod";
import { at, bytesOrNull, Count, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";
import { creationIsListed } from "../reading/open-to-readers.ts";

const ofListedWork = sql.fragment`JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
      JOIN creation_revisions live ON live.id = c.live_revision_id`;

const WatchableRow = z.strictObject({
  live_id: z.string(),
  revision_number: z.number(),
  files: z.array(z.strictObject({ asset_id: z.string(), label: z.string(), filename: z.string() })),
});

/** The live revision of a listed work with its files; null where readers find no such work. */
export async function findWatchable(db: Db, workId: string) {
  return await db.maybeOne(sql.type(WatchableRow)`
    SELECT live.id AS live_id, live.revision_number, coalesce((SELECT json_agg(x) FROM (
        SELECT f.asset_id, f.label, s.filename FROM revision_files f JOIN assets s ON s.id = f.asset_id
        WHERE f.revision_id = live.id ORDER BY f.position) x), '[]') AS files
    FROM creations c ${ofListedWork} WHERE c.id = ${workId} AND ${creationIsListed}`);
}

const WatchedSourceRow = z.strictObject({
  watched_id: z.number(),
  asset_id: z.string(),
  label: z.string(),
  filename: z.string(),
  source_id: z.string(),
  /** The newest published revision of the work that has the file; null where its content was removed. */
  base_id: z.string().nullable(),
  live_id: z.string(),
  live_number: z.number(),
  is_listed: z.boolean(),
});
/** The listed work that a watched question names. */
export type WatchedSourceRow = z.infer<typeof WatchedSourceRow>;

/** The works that watched questions name, as far as they are listed. */
export async function listWatchedSources(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return [];
  return await db.any(sql.type(WatchedSourceRow)`
    SELECT q.id AS watched_id, q.asset_id, q.label, q.filename, c.id AS source_id,
      (SELECT r.id FROM revision_files f JOIN creation_revisions r ON r.id = f.revision_id
        WHERE f.asset_id = q.asset_id AND r.creation_id = c.id AND r.state = 'published'
        ORDER BY r.revision_number DESC LIMIT 1) AS base_id,
      live.id AS live_id, live.revision_number AS live_number, true AS is_listed
    FROM standing_questions q JOIN creations c ON c.id = q.source_id ${ofListedWork}
    WHERE q.id = ANY(${sql.array([...ids], "int8")}) AND ${creationIsListed}`);
}

/** The hashes of an answer and of its rows. */
export interface WatchedAnswer {
  sha256: string;
  rowHashes: Uint8Array;
}

/** A watched question that was just answered. */
export interface NewWatched {
  agentId: string;
  name: string;
  workId: string;
  file: { asset_id: string; label: string; filename: string; read_sha256: string };
  revisionNumber: number;
  question: string;
  answer: WatchedAnswer;
  nowMs: number;
}

const Source = z.strictObject({ source_id: z.string() });

/** Deletes an agent's watched question; the id of its work, null where there was none. */
export async function deleteWatched(tx: Tx, agentId: string, name: string): Promise<string | null> {
  return await tx.maybeOneFirst(sql.type(Source)`
    DELETE FROM standing_questions WHERE kind = 'watch' AND agent_id = ${agentId} AND name = ${name}
    RETURNING source_id`);
}

/** How many questions an agent watches. */
export async function countWatched(db: Db, agentId: string): Promise<number> {
  return await db.oneFirst(sql.type(Count)`
    SELECT count(*) FROM standing_questions WHERE kind = 'watch' AND agent_id = ${agentId}`);
}

const WatchedRow = z.strictObject({
  name: z.string(),
  creation_id: z.string(),
  label: z.string(),
  question: z.string(),
  state: z.enum(["holds", "cannot_be_asked", "source_closed"]),
  revision_number: z.number().nullable(),
  live_asset_id: z.string().nullable(),
  answer_sha256: z.string(),
  rows_total: z.number(),
  created_at: Timestamp,
});
/** A watched question with the hash of its last answer. */
export type WatchedRow = z.infer<typeof WatchedRow>;

const columns = sql.fragment`q.name, q.source_id AS creation_id, q.label, q.question, q.state, q.revision_number,
      q.live_asset_id, q.answer_sha256, length(q.row_hashes) / 8 AS rows_total, q.created_at`;

/** Adds a watched question. */
export async function insertWatched(tx: Tx, { file, answer, ...one }: NewWatched): Promise<WatchedRow> {
  return await tx.one(sql.type(WatchedRow)`
    INSERT INTO standing_questions AS q (kind, place, agent_id, name, source_id, asset_id, label, filename, question,
      state, revision_number, live_asset_id, live_sha256, answer_sha256, row_hashes, asked_at, created_at)
    VALUES ('watch', 0, ${one.agentId}, ${one.name}, ${one.workId}, ${file.asset_id}, ${file.label}, ${file.filename},
      ${one.question}, 'holds', ${one.revisionNumber}, ${file.asset_id}, ${file.read_sha256}, ${answer.sha256},
      ${bytesOrNull(answer.rowHashes)}, ${at(one.nowMs)}, ${at(one.nowMs)})
    RETURNING ${columns}`);
}

/** A part of the questions that an agent watches, the oldest first; all of them without a limit. */
export async function listWatched(
  db: Db,
  agentId: string,
  { limit, offset }: { limit: number | null; offset: number },
): Promise<readonly WatchedRow[]> {
  return await db.any(sql.type(WatchedRow)`
    SELECT ${columns} FROM standing_questions q WHERE q.kind = 'watch' AND q.agent_id = ${agentId}
    ORDER BY q.created_at, q.id LIMIT ${limit} OFFSET ${offset}`);
}

const HeldRow = z.strictObject({
  ...WatchedRow.shape,
  id: z.number(),
  agent_id: z.string(),
  author_id: z.string(),
});

/** Those of these watched questions that are watched still, as they are until the transaction ends. */
export async function holdWatched(tx: Tx, ids: readonly number[]) {
  return await tx.any(sql.type(HeldRow)`
    SELECT ${columns}, q.id, q.agent_id, c.agent_id AS author_id
    FROM standing_questions q JOIN creations c ON c.id = q.source_id
    WHERE q.kind = 'watch' AND q.id = ANY(${sql.array([...ids], "int8")}) ORDER BY q.id FOR UPDATE OF q`);
}

/** The hashes of the rows of the last answer to a watched question, as hex text; null where nobody watches it. */
export async function findRowHashes(db: Db, id: number): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(z.strictObject({ hashes: z.string() }))`
    SELECT encode(row_hashes, 'hex') AS hashes FROM standing_questions WHERE id = ${id} AND kind = 'watch'`);
}

/** Keeps another answer to a watched question. */
export async function updateWatchedAnswer(tx: Tx, id: number, answer: WatchedAnswer): Promise<void> {
  await tx.query(command`
    UPDATE standing_questions SET answer_sha256 = ${answer.sha256}, row_hashes = ${bytesOrNull(answer.rowHashes)}
    WHERE id = ${id}`);
}
