import { z } from "zod";
import { at, atOrNull, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";

const Log = z.strictObject({
  number: z.number(),
  origin: z.string(),
  began_at: Timestamp,
  restored_at: Timestamp.nullable(),
  /** How many entries its newest checkpoint has. */
  size: z.number(),
  note: z.string(),
  /** The size of the checkpoint that witnesses are asked about; null until there are any. */
  asked_size: z.number().nullable(),
});
/** A transparency log with its newest checkpoint. */
export type LogRow = z.infer<typeof Log>;

const logs = sql.fragment`
  SELECT l.number, l.origin, l.began_at, l.restored_at, k.size, k.note, l.asked_size
  FROM logs l JOIN LATERAL (
    SELECT size, note FROM log_checkpoints WHERE log_number = l.number ORDER BY size DESC LIMIT 1) AS k ON true`;

/** The log of this number; null where there is none. */
export async function findLog(db: Db, number: number): Promise<LogRow | null> {
  return await db.maybeOne(sql.type(Log)`${logs} WHERE l.number = ${number}`);
}

/** The log that goes on; null where none was begun. */
export async function findCurrentLog(db: Db): Promise<LogRow | null> {
  return await db.maybeOne(sql.type(Log)`${logs} ORDER BY l.number DESC LIMIT 1`);
}

const Asked = Log.pick({ asked_size: true });

/** Begins a log; returns its `asked_size`. */
export async function insertLog(
  tx: Tx,
  log: { number: number; origin: string; nowMs: number },
): Promise<number | null> {
  return await tx.oneFirst(sql.type(Asked)`
    INSERT INTO logs (number, origin, began_at, asked_size)
    VALUES (${log.number}, ${log.origin}, ${at(log.nowMs)}, CASE WHEN EXISTS (SELECT FROM log_witnesses) THEN 0 END)
    RETURNING asked_size`);
}

const Key = z.strictObject({
  vkey: z.string(),
  added_at: Timestamp,
  retires_at: Timestamp.nullable(),
});
/** The public half of a log's key. */
export type LogKeyRow = z.infer<typeof Key>;

/** The keys of a log, the newest first. */
export async function listLogKeys(db: Db, number: number): Promise<readonly LogKeyRow[]> {
  return await db.any(sql.type(Key)`
    SELECT vkey, added_at, retires_at FROM log_keys WHERE log_number = ${number}
    ORDER BY retires_at DESC NULLS FIRST, added_at DESC, vkey`);
}

/** Adds the newest key of a log; those that had no end get one. */
export async function insertLogKey(
  tx: Tx,
  key: { number: number; vkey: string; nowMs: number; othersRetireMs: number },
): Promise<void> {
  await tx.query(command`
    UPDATE log_keys SET retires_at = ${at(key.othersRetireMs)}
    WHERE log_number = ${key.number} AND retires_at IS NULL`);
  await tx.query(command`
    INSERT INTO log_keys (log_number, vkey, added_at, retires_at)
    VALUES (${key.number}, ${key.vkey}, ${at(key.nowMs)}, ${atOrNull(null)})`);
}

/** Saves a checkpoint, or the same one with other signatures. */
export async function saveCheckpoint(
  tx: Tx,
  checkpoint: { number: number; size: number; note: string; nowMs: number },
): Promise<void> {
  await tx.query(command`
    INSERT INTO log_checkpoints (log_number, size, note, signed_at)
    VALUES (${checkpoint.number}, ${checkpoint.size}, ${checkpoint.note}, ${at(checkpoint.nowMs)})
    ON CONFLICT (log_number, size) DO UPDATE SET note = EXCLUDED.note, signed_at = EXCLUDED.signed_at`);
}

/**
 * The place of a revision's publication in the log, and how many witnesses had signed the first checkpoint with it that
 * reached the quorum, 0 before; null where the log does not have it.
 */
export const LogPlace = z.strictObject({ index: z.number(), witnesses: z.number() }).nullable();
export type LogPlace = z.infer<typeof LogPlace>;

/** The column of `LogPlace` for the revision `r`. */
export const logPlaceColumn = sql.fragment`
  (SELECT json_build_object('index', k.index, 'witnesses', coalesce((SELECT p.witnesses FROM log_checkpoints p
      WHERE p.log_number = k.log_number AND p.size > k.index AND p.witnesses IS NOT NULL
      ORDER BY p.size LIMIT 1), 0))
    FROM log_records k WHERE k.revision_id = r.id) AS log_place`;
