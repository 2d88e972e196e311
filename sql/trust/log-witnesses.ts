import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";

const Witness = z.strictObject({
  name: z.string(),
  vkey: z.string(),
  url: z.string(),
  /** The checkpoint that it signed last; all three are null before. */
  last_log: z.number().nullable(),
  last_size: z.number().nullable(),
  last_at: Timestamp.nullable(),
  failure: z.string().nullable(),
  failures: z.number(),
});
/** Who is asked to cosign the site's log. */
export type WitnessRow = z.infer<typeof Witness>;

const Asked = Witness.extend({ log_number: z.number(), size: z.number(), note: z.string() });
/** A witness with the checkpoint that it is asked about. */
export type AskedWitnessRow = z.infer<typeof Asked>;

const columns = sql.fragment`
  w.name, w.vkey, w.url, w.last_log, w.last_size, w.last_at, w.failure, w.failures`;

/** Every witness of the log. */
export async function listWitnesses(db: Db): Promise<readonly WitnessRow[]> {
  return await db.any(sql.type(Witness)`SELECT ${columns} FROM log_witnesses w ORDER BY w.name`);
}

/** Adds a witness; false where one of this name is there. */
export async function insertWitness(
  tx: Tx,
  witness: { name: string; vkey: string; url: string; nowMs: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(command`
    INSERT INTO log_witnesses (name, vkey, url, added_at, next_at)
    VALUES (${witness.name}, ${witness.vkey}, ${witness.url}, ${at(witness.nowMs)}, ${at(witness.nowMs)})
    ON CONFLICT (name) DO NOTHING`);
  return rowCount === 1;
}

/** Notes in the logs that they have witnesses: one that never had any costs no look at them. */
export async function noteWitnesses(tx: Tx): Promise<void> {
  await tx.query(command`UPDATE logs SET asked_size = 0 WHERE asked_size IS NULL`);
}

/** Deletes a witness; false where there is none of this name. */
export async function deleteWitness(tx: Tx, name: string): Promise<boolean> {
  const { rowCount } = await tx.query(command`DELETE FROM log_witnesses WHERE name = ${name}`);
  return rowCount === 1;
}

/**
 * Has witnesses be asked about the newest checkpoint as soon as one is due, once as many as the quorum signed the one before
 * or nobody else will soon: who failed last is not waited for.
 */
export async function beginRound(tx: Tx, { quorum, nowMs }: { quorum: number; nowMs: number }) {
  await tx.query(command`
    UPDATE logs l SET asked_size = newest.size
    FROM (SELECT log_number, size FROM log_checkpoints ORDER BY log_number DESC, size DESC LIMIT 1) AS newest
    WHERE l.number = newest.log_number AND l.asked_size < newest.size
      AND EXISTS (SELECT FROM log_witnesses w WHERE w.next_at <= ${at(nowMs)})
      AND ((SELECT count(*) FROM log_witnesses w
          WHERE w.last_log = l.number AND w.last_size = l.asked_size) >= ${quorum}
        OR NOT EXISTS (SELECT FROM log_witnesses w WHERE w.failures = 0 AND w.next_at > ${at(nowMs)}))`);
}

/** Takes the witnesses that are due and have not signed the checkpoint of the round; nobody else asks them until a time. */
export async function claimWitnesses(
  tx: Tx,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<readonly AskedWitnessRow[]> {
  return await tx.any(sql.type(Asked)`
    UPDATE log_witnesses w SET next_at = ${at(untilMs)}
    FROM logs l JOIN log_checkpoints p ON p.log_number = l.number AND p.size = l.asked_size
    WHERE l.number = (SELECT max(number) FROM logs) AND l.asked_size > 0 AND w.next_at <= ${at(nowMs)}
      AND (w.last_log IS DISTINCT FROM l.number OR w.last_size < l.asked_size)
    RETURNING ${columns}, p.log_number, p.size, p.note`);
}

/** Saves the line of a witness below a checkpoint, and that it signed this one last and is asked again later. */
export async function saveCosignature(
  tx: Tx,
  signed: {
    name: string;
    vkey: string;
    number: number;
    size: number;
    line: string;
    nowMs: number;
    nextMs: number;
  },
): Promise<void> {
  const { name, vkey, number, size, line, nowMs, nextMs } = signed;
  await tx.query(command`
    INSERT INTO log_cosignatures (log_number, size, vkey, line) VALUES (${number}, ${size}, ${vkey}, ${line})
    ON CONFLICT DO NOTHING`);
  await tx.query(command`
    UPDATE log_witnesses SET last_log = ${number}, last_size = ${size}, last_at = ${at(nowMs)}, failure = NULL,
      failures = 0, next_at = ${at(nextMs)}
    WHERE name = ${name} AND vkey = ${vkey}`);
}

/**
 * Notes how many of the witnesses that are asked signed a checkpoint, once they are as many as the quorum, unless a later one
 * has it. A line under a key that one had before does not count: one witness is one.
 */
export async function markQuorum(
  tx: Tx,
  { number, size, quorum }: { number: number; size: number; quorum: number },
): Promise<void> {
  await tx.query(command`
    UPDATE log_checkpoints p SET witnesses = signed.count
    FROM (SELECT count(*) FROM log_cosignatures c JOIN log_witnesses w ON w.vkey = c.vkey
      WHERE c.log_number = ${number} AND c.size = ${size}) AS signed
    WHERE p.log_number = ${number} AND p.size = ${size} AND p.witnesses IS NULL AND signed.count >= ${quorum}
      AND NOT EXISTS (SELECT FROM log_checkpoints n
        WHERE n.log_number = ${number} AND n.size > ${size} AND n.witnesses IS NOT NULL)`);
}

/** Notes why a witness did not sign, and when it is asked again. */
export async function saveWitnessFailure(
  tx: Tx,
  { name, vkey, failure, nextMs }: { name: string; vkey: string; failure: string; nextMs: number },
): Promise<void> {
  await tx.query(command`
    UPDATE log_witnesses SET failure = ${failure}, failures = failures + 1, next_at = ${at(nextMs)}
    WHERE name = ${name} AND vkey = ${vkey}`);
}

const Line = z.strictObject({ line: z.string() });

/** The lines of witnesses below a checkpoint. */
export async function listCosignatures(db: Db, number: number, size: number): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(Line)`
    SELECT line FROM log_cosignatures WHERE log_number = ${number} AND size = ${size} ORDER BY vkey`);
}
