import { z } from "zod";
import { SaidDisclosure } from "../../shared/text/disclosure/describe-disclosure.ts";
import { at, command, type Db, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";
import { Signature } from "./signatures.ts";

const Record = z.strictObject({
  log_number: z.number(),
  index: z.number(),
  unlisted: z.boolean(),
  revision_number: z.number(),
});
/** Where a publication stands in the log. */
export type LoggedRow = z.infer<typeof Record>;

const base = { id: z.number(), at: Timestamp, agent_id: z.string() };

const WaitingWork = z.strictObject({
  ...base,
  type: z.enum(["published", "content_removed", "retracted", "reinstated"]),
  creation_id: z.string(),
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
      signature: Signature.nullable(),
      removed: z.boolean(),
    })
    .nullable(),
  /** The last publication of that revision, or of the work, that the log has. */
  logged: Record.nullable(),
  change: z.null(),
});
/** What was done to a work that the log does not have yet. */
export type WaitingRow = z.infer<typeof WaitingWork>;

const KeyOfStatement = z.strictObject({ kid: z.string(), x: z.string(), ended_at: z.string().nullable() });
/** A key as the statement of a change says it. */
export type KeyOfStatement = z.infer<typeof KeyOfStatement>;

const WaitingKeys = z.strictObject({
  ...base,
  type: z.literal("keys"),
  ...{
    creation_id: z.null(),
    unlisted: z.null(),
    removed_by: z.null(),
    revision: z.null(),
    logged: z.null(),
  },
  change: z.strictObject({
    /** Every key after the change. */
    keys: z.array(KeyOfStatement),
    ended: z.array(z.string()),
    /** Whether the agent's keys are deleted by now, with the agent. */
    removed: z.boolean(),
  }),
});
/** A change of an agent's keys that the log does not have yet. */
export type WaitingKeysRow = z.infer<typeof WaitingKeys>;

const Waiting = z.union([WaitingWork, WaitingKeys]);

/** The next rows of the outbox, the oldest first. */
export async function listWaiting(tx: Tx, limit: number): Promise<readonly (WaitingRow | WaitingKeysRow)[]> {
  return await tx.any(sql.type(Waiting)`
    SELECT o.id, o.type, o.at, o.creation_id, coalesce(o.agent_id, c.agent_id) AS agent_id, o.unlisted, o.removed_by,
      CASE WHEN r.id IS NOT NULL THEN json_build_object('id', r.id, 'revision_number', r.revision_number,
        'checksum', r.checksum, 'minor', r.minor, 'disclosure', r.disclosure, 'signature', r.signature,
        'removed', r.content_removed_at IS NOT NULL) END AS revision,
      CASE WHEN l.index IS NOT NULL THEN json_build_object('log_number', l.log_number, 'index', l.index,
        'unlisted', l.unlisted, 'revision_number', l.revision_number) END AS logged,
      CASE WHEN o.type = 'keys' THEN json_build_object('keys', o.keys, 'ended', o.ended,
        'removed', NOT EXISTS (SELECT FROM agent_keys k WHERE k.agent_id = o.agent_id)) END AS change
    FROM log_outbox o LEFT JOIN creations c ON c.id = o.creation_id
      LEFT JOIN creation_revisions r ON r.id = o.revision_id
      LEFT JOIN LATERAL (
        SELECT k.log_number, k.index, k.unlisted, kr.revision_number
        FROM log_records k JOIN creation_revisions kr ON kr.id = k.revision_id
        WHERE o.type <> 'published' AND k.creation_id = o.creation_id
          AND (o.revision_id IS NULL OR k.revision_id = o.revision_id)
        ORDER BY k.log_number DESC, k.index DESC LIMIT 1) AS l ON true
    ORDER BY o.id LIMIT ${limit}`);
}

/** Has the log take up a change of an agent's keys. */
export async function insertKeyChange(
  tx: Tx,
  change: { agentId: string; keys: readonly KeyOfStatement[]; ended: readonly string[]; nowMs: number },
): Promise<void> {
  await tx.query(command`
    INSERT INTO log_outbox (type, agent_id, keys, ended, at)
    VALUES ('keys', ${change.agentId}, ${JSON.stringify(change.keys)}::jsonb, ${texts(change.ended)},
      ${at(change.nowMs)})`);
}

/** Deletes what the log has now. */
export async function deleteWaiting(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query(command`DELETE FROM log_outbox WHERE id = ANY(${sql.array([...ids], "int8")})`);
}

/** What opens the commitment of an entry. */
export interface Opening {
  nonce: Buffer;
  statement: string;
}

/** Where a publication stands, with what opens its commitment. */
export interface NewRecord {
  revisionId: string;
  creationId: string;
  index: number;
  unlisted: boolean;
  /** Null where the content is removed. */
  opening: Opening | null;
}

/** Where a change of keys stands. */
export interface NewKeyRecord {
  agentId: string;
  index: number;
  ended: readonly string[];
  /** Null where the keys are deleted. */
  opening: Opening | null;
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

/** Saves where changes of keys stand. */
export async function saveKeyRecords(
  tx: Tx,
  number: number,
  records: readonly NewKeyRecord[],
): Promise<void> {
  for (const { agentId, index, ended, opening } of records) {
    const nonce = opening?.nonce.toString("hex") ?? null;
    await tx.query(command`
      INSERT INTO log_key_records (log_number, index, agent_id, ended, nonce, statement)
      VALUES (${number}, ${index}, ${agentId}, ${texts(ended)}, decode(${nonce}, 'hex'), ${opening?.statement ?? null})`);
  }
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
