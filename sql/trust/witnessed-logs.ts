import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";

const WitnessedLog = z.strictObject({
  origin: z.string(),
  /** The keys of which one has to have signed a checkpoint. */
  keys: z.array(z.string()),
  /** The key of this site that cosigns it. */
  vkey: z.string(),
  size: z.number(),
  /** Null where nothing was cosigned with that key, and so are the two below. */
  root: z.instanceof(Uint8Array).nullable(),
  note: z.string().nullable(),
  cosigned_at: Timestamp.nullable(),
  restored_at: Timestamp.nullable(),
  removed_at: Timestamp.nullable(),
});
/** The log of another site that this one is a witness of. */
export type WitnessedLogRow = z.infer<typeof WitnessedLog>;

const logs = sql.fragment`
  SELECT l.origin, array(SELECT k.vkey FROM witnessed_log_keys k WHERE k.origin = l.origin ORDER BY k.vkey) AS keys,
    l.vkey, l.size, l.root, l.note, l.cosigned_at, l.restored_at, l.removed_at
  FROM witnessed_logs l`;

/** The log of an origin, removed ones too; null where this site never was its witness. */
export async function findWitnessedLog(db: Db, origin: string): Promise<WitnessedLogRow | null> {
  return await db.maybeOne(sql.type(WitnessedLog)`${logs} WHERE l.origin = ${origin}`);
}

/** The same, locked until the transaction ends. */
export async function lockWitnessedLog(tx: Tx, origin: string): Promise<WitnessedLogRow | null> {
  return await tx.maybeOne(sql.type(WitnessedLog)`${logs} WHERE l.origin = ${origin} FOR UPDATE OF l`);
}

/** The log whose origin has this hash, as hex. */
export async function findWitnessedLogByHash(db: Db, hash: string): Promise<WitnessedLogRow | null> {
  return await db.maybeOne(sql.type(WitnessedLog)`
    ${logs} WHERE encode(sha256(convert_to(l.origin, 'UTF8')), 'hex') = ${hash}`);
}

/** Every log that this site is or was a witness of. */
export async function listWitnessedLogs(db: Db): Promise<readonly WitnessedLogRow[]> {
  return await db.any(sql.type(WitnessedLog)`${logs} ORDER BY l.origin`);
}

/** Adds a log, or a further key of one; a removed one goes on from where it was. Returns whether the log is new. */
export async function insertWitnessedLog(
  tx: Tx,
  log: { origin: string; key: string; vkey: string; nowMs: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(command`
    INSERT INTO witnessed_logs (origin, added_at, vkey) VALUES (${log.origin}, ${at(log.nowMs)}, ${log.vkey})
    ON CONFLICT (origin) DO NOTHING`);
  await tx.query(command`UPDATE witnessed_logs SET removed_at = NULL WHERE origin = ${log.origin}`);
  await tx.query(command`
    INSERT INTO witnessed_log_keys (origin, vkey) VALUES (${log.origin}, ${log.key}) ON CONFLICT DO NOTHING`);
  return rowCount === 1;
}

/** Ends the witness of a log, with the keys that are believed; what was cosigned last is kept. */
export async function removeWitnessedLog(tx: Tx, origin: string, nowMs: number): Promise<void> {
  await tx.query(command`UPDATE witnessed_logs SET removed_at = ${at(nowMs)} WHERE origin = ${origin}`);
  await tx.query(command`DELETE FROM witnessed_log_keys WHERE origin = ${origin}`);
}

/** Saves what is cosigned now. */
export async function saveCosigned(
  tx: Tx,
  log: { origin: string; size: number; root: Buffer; note: string; nowMs: number },
): Promise<void> {
  await tx.query(command`
    UPDATE witnessed_logs SET size = ${log.size}, root = decode(${log.root.toString("hex")}, 'hex'),
      note = ${log.note}, cosigned_at = ${at(log.nowMs)}
    WHERE origin = ${log.origin}`);
}

/** Begins the witness of a log anew, under another key. */
export async function beginWitnessedLogAnew(tx: Tx, origin: string, vkey: string): Promise<void> {
  await tx.query(command`
    UPDATE witnessed_logs SET vkey = ${vkey}, size = 0, root = NULL, note = NULL, cosigned_at = NULL, restored_at = NULL
    WHERE origin = ${origin}`);
}
