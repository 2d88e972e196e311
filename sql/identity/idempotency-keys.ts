import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";
import { lockKeyOf } from "../platform/locks.ts";
import { isValidToken } from "./tokens.ts";

export const KeyRow = z.strictObject({
  fingerprint: z.string(),
  asset_id: z.string().nullable(),
  status: z.number().nullable(),
  headers: z.record(z.string(), z.string()).nullable(),
  body: z.string().nullable(),
  read_again: z.boolean(),
  content_removed: z.boolean(),
  created_at: Timestamp,
});
/**
 * A used key: the fingerprint of its request, and its answer (none yet while an upload is inspected, an empty one where
 * the content that it showed was removed).
 */
export type KeyRow = z.infer<typeof KeyRow>;

const columns = sql.fragment`
  k.fingerprint, k.asset_id, k.status, k.headers, k.body, k.read_again, k.content_removed, k.created_at`;

/** The condition of an agent's key `k` that was stored since a timestamp. */
function isStored(agentId: string, key: string, sinceMs: number) {
  return sql.fragment`k.agent_id = ${agentId} AND k.key = ${key}::uuid AND k.created_at > ${at(sinceMs)}`;
}

/** An agent's key, if it was stored since a timestamp. */
export async function findKey(db: Db, agentId: string, key: string, sinceMs: number): Promise<KeyRow | null> {
  return await db.maybeOne(sql.type(KeyRow)`
    SELECT ${columns} FROM idempotency_keys k WHERE ${isStored(agentId, key, sinceMs)}`);
}

/** The condition that locks a key for this transaction; false while another transaction holds it. */
export function tryLockOfKey(agentId: string, key: string) {
  return sql.fragment`pg_try_advisory_xact_lock(${lockKeyOf(`${agentId}:${key}`)})`;
}

const KeyAndToken = z.strictObject({ token_is_valid: z.boolean(), key: KeyRow.nullable() });

/** What may have changed while a write waited for its locks: its agent's key, and whether its token is valid. */
export async function findKeyAndToken(
  tx: Tx,
  { agentId, key, tokenId }: { agentId: string; key: string; tokenId: string },
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
): Promise<{ key: KeyRow | null; isTokenValid: boolean }> {
  const row = await tx.one(sql.type(KeyAndToken)`
    SELECT EXISTS (SELECT 1 FROM tokens t WHERE t.id = ${tokenId} AND ${isValidToken(nowMs)}) AS token_is_valid,
      (SELECT row_to_json(found) FROM (
        SELECT ${columns} FROM idempotency_keys k WHERE ${isStored(agentId, key, sinceMs)}) AS found) AS key`);
  return { key: row.key, isTokenValid: row.token_is_valid };
}

/** An answer of more bytes is not kept whole. */
export const MOST_KEPT_BYTES = 16 * 1024;

/** An answer as it is kept; `readsAgain` where its body has the id of its resource alone, which a replay reads again. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  readsAgain?: boolean;
}

/** A key with the answer to its request; null while an upload waits for its verdict. */
export interface NewKey {
  agentId: string;
  key: string;
  fingerprint: string;
  assetId: string | null;
  creationId: string | null;
  answer: KeptAnswer | null;
  nowMs: number;
}

/** The statement that stores an answer and replaces a row older than the replay window. */
export function insertKey(row: NewKey) {
  const { answer } = row;
  return sql.fragment`
    INSERT INTO idempotency_keys
      (agent_id, key, fingerprint, asset_id, creation_id, status, headers, body, read_again, created_at)
    VALUES (${row.agentId}, ${row.key}::uuid, ${row.fingerprint}, ${row.assetId}, ${row.creationId}, ${answer?.status ?? null},
      ${answer ? JSON.stringify(answer.headers) : null}::json, ${answer?.body ?? null},
      ${answer?.readsAgain ?? false}, ${at(row.nowMs)})
    ON CONFLICT (agent_id, key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, asset_id = EXCLUDED.asset_id,
      creation_id = EXCLUDED.creation_id, content_removed = false, status = EXCLUDED.status, headers = EXCLUDED.headers,
      body = EXCLUDED.body, read_again = EXCLUDED.read_again, created_at = EXCLUDED.created_at`;
}

const AnswerRow = z.strictObject({
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  read_again: z.boolean(),
});

/** Stores the answer of an upload unless there is one; returns the stored answer, null without a key. */
export async function answerKeyOfAsset(tx: Tx, assetId: string, answer: KeptAnswer) {
  return await tx.maybeOne(sql.type(AnswerRow)`
    UPDATE idempotency_keys SET status = COALESCE(status, ${answer.status}),
      headers = COALESCE(headers, ${JSON.stringify(answer.headers)}::json), body = COALESCE(body, ${answer.body}),
      read_again = CASE WHEN body IS NULL THEN ${answer.readsAgain ?? false} ELSE read_again END
    WHERE asset_id = ${assetId} RETURNING status, headers, body, read_again`);
}

/**
 * Removes the stored answers that show a creation, or one revision of it; their keys stay used. One that is read again
 * shows nothing of then.
 */
export async function removeAnswersAbout(
  tx: Tx,
  { agentId, creationId, revisionId }: { agentId: string; creationId: string; revisionId?: string },
): Promise<void> {
  const shown = revisionId === undefined ? sql.fragment`true` : sql.fragment`strpos(body, ${revisionId}) > 0`;
  await tx.query(command`
    UPDATE idempotency_keys SET body = '', headers = NULL, content_removed = true
    WHERE agent_id = ${agentId} AND creation_id = ${creationId} AND NOT read_again AND ${shown}`);
}

/** Deletes the keys of an upload. */
export async function deleteKeysOfAsset(tx: Tx, assetId: string): Promise<void> {
  await tx.query(command`DELETE FROM idempotency_keys WHERE asset_id = ${assetId}`);
}
