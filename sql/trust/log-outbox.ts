import { z } from "zod";
import { SaidDisclosure } from "../../shared/text/disclosure/describe-disclosure.ts";
import { command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";

const Record = z.strictObject({
  log_number: z.number(),
  index: z.number(),
  unlisted: z.boolean(),
  revision_number: z.number(),
});
/** Where a publication stands in the log. */
export type LoggedRow = z.infer<typeof Record>;

const Waiting = z.strictObject({
  id: z.number(),
  type: z.enum(["published", "content_removed", "retracted", "reinstated"]),
  at: Timestamp,
  creation_id: z.string(),
  agent_id: z.string(),
  unlisted: z.boolean().nullable(),
  removed_by: z.enum(["owner", "moderator"]).nullable(),
  /** The revision that was published or emptied; null for what is done to a work as a whole. */
  revision: z
    .strictObject({
      id: z.string(),
      revision_number: z.number(),
      checksum: z.string(),
      minor: z.boolean(),
      disclosure: SaidDisclosure.nullable(),
      removed: z.boolean(),
    })
    .nullable(),
  /** The last publication of that revision, or of the work, that the log has. */
  logged: Record.nullable(),
});
/** What the log does not have yet. */
export type WaitingRow = z.infer<typeof Waiting>;

/** The next rows of the outbox, the oldest first. */
export async function listWaiting(tx: Tx, limit: number): Promise<readonly WaitingRow[]> {
  return await tx.any(sql.type(Waiting)`
    SELECT o.id, o.type, o.at, o.creation_id, c.agent_id, o.unlisted, o.removed_by,
      CASE WHEN r.id IS NOT NULL THEN json_build_object('id', r.id, 'revision_number', r.revision_number,
        'checksum', r.checksum, 'minor', r.minor, 'disclosure', r.disclosure,
        'removed', r.content_removed_at IS NOT NULL) END AS revision,
      CASE WHEN l.index IS NOT NULL THEN json_build_object('log_number', l.log_number, 'index', l.index,
        'unlisted', l.unlisted, 'revision_number', l.revision_number) END AS logged
    FROM log_outbox o JOIN creations c ON c.id = o.creation_id
      LEFT JOIN creation_revisions r ON r.id = o.revision_id
      LEFT JOIN LATERAL (
        SELECT k.log_number, k.index, k.unlisted, kr.revision_number
        FROM log_records k JOIN creation_revisions kr ON kr.id = k.revision_id
        WHERE o.type <> 'published' AND k.creation_id = o.creation_id
          AND (o.revision_id IS NULL OR k.revision_id = o.revision_id)
        ORDER BY k.log_number DESC, k.index DESC LIMIT 1) AS l ON true
    ORDER BY o.id LIMIT ${limit}`);
}

/** Deletes what the log has now. */
export async function deleteWaiting(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query(command`DELETE FROM log_outbox WHERE id = ANY(${sql.array([...ids], "int8")})`);
}

/** Where a publication stands, with what opens its commitment. */
export interface NewRecord {
  revisionId: string;
  creationId: string;
  index: number;
  unlisted: boolean;
  /** Null where the content is removed. */
  opening: { nonce: Buffer; statement: string } | null;
}

/** Saves where publications stand; a revision that was published before stands where its last publication does. */
export async function saveRecords(tx: Tx, number: number, records: readonly NewRecord[]): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map(({ revisionId, creationId, index, unlisted, opening }) => [
    ...[revisionId, creationId, index, unlisted],
    ...[opening?.nonce.toString("hex") ?? null, opening?.statement ?? null],
  ]);
  await tx.query(command`
    INSERT INTO log_records (revision_id, creation_id, log_number, index, unlisted, nonce, statement)
    SELECT k.revision_id, k.creation_id, ${number}, k.index, k.unlisted, decode(k.nonce, 'hex'), k.statement
    FROM ${sql.unnest(rows, ["text", "text", "int8", "bool", "text", "text"])}
      AS k (revision_id, creation_id, index, unlisted, nonce, statement)
    ON CONFLICT (revision_id) DO UPDATE SET log_number = EXCLUDED.log_number, index = EXCLUDED.index,
      unlisted = EXCLUDED.unlisted, nonce = EXCLUDED.nonce, statement = EXCLUDED.statement`);
}

/** Deletes what opens the commitments of revisions whose content is removed. */
export async function closeRecords(tx: Tx, revisionIds: readonly string[]): Promise<void> {
  if (revisionIds.length === 0) return;
  await tx.query(command`
    UPDATE log_records SET nonce = NULL, statement = NULL
    WHERE revision_id = ANY(${sql.array([...revisionIds], "text")}) AND nonce IS NOT NULL`);
}

const Backlog = z.strictObject({ count: z.number(), oldest_at: Timestamp.nullable() });

/** How much waits for the log, counted up to a thousand, and since when. */
export async function findBacklog(db: Db): Promise<z.infer<typeof Backlog>> {
  return await db.one(sql.type(Backlog)`
    SELECT count(*) AS count, min(at) AS oldest_at
    FROM (SELECT at FROM log_outbox ORDER BY id LIMIT 1000) AS waiting`);
}
