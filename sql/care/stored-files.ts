import { z } from "zod";
import { type Db, sql, texts } from "../connection/pool.ts";
import { madeFiles } from "../datasets/canonical-files.ts";

// The contents of the file store: the files of assets, the canonical and Parquet files made of them, and the archives that owners
// requested.

/** Every file of a row, and whether its bytes are to be deleted; without joins, so that a page of it is read by index. */
const files = sql.fragment`
  SELECT id, bytes::bigint AS bytes, content_sha256 AS sha256, file_deleted_at IS NOT NULL AS deleted FROM assets
  UNION ALL SELECT file_id, bytes, sha256, false FROM owner_exports
  UNION ALL SELECT p.file_id, p.bytes, p.content_sha256,
    NOT EXISTS (SELECT FROM assets s WHERE s.id = p.asset_id AND s.file_deleted_at IS NULL)
    FROM (${madeFiles}) p`;

const Known = z.strictObject({ id: z.string(), deleted: z.boolean() });

/** The files among these that have a row, and whether their bytes are to be deleted. */
export async function listKnownFiles(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return await db.any(sql.type(Known)`
    SELECT f.id, f.deleted FROM (${files}) f WHERE f.id = ANY(${texts(ids)})`);
}

const KeptFile = z.strictObject({ id: z.string(), bytes: z.number(), sha256: z.string() });

/** Files after a given id whose bytes must be in the store, in the order of their ids. */
export async function listKeptFiles(db: Db, afterId: string, most: number) {
  return await db.any(sql.type(KeptFile)`
    SELECT f.id, f.bytes, f.sha256 FROM (${files}) f
    WHERE f.id > ${afterId} AND NOT f.deleted ORDER BY f.id LIMIT ${most}`);
}

/** Whether a file's bytes must still be there: it may have been deleted during a check. */
export async function isFileKept(db: Db, id: string): Promise<boolean> {
  return await db.exists(sql.type(z.unknown())`
    SELECT 1 FROM (${files}) f WHERE f.id = ${id} AND NOT f.deleted`);
}

/** What is stored under a name: how many of it are files, and the bytes of all. */
const Total = z.strictObject({ name: z.string(), files: z.number(), bytes: z.number() });

const stored = sql.fragment`
  SELECT a.owner_id, f.agent_id, f.format AS kind, 1 AS files, f.bytes::bigint AS bytes
  FROM assets f JOIN agents a ON a.id = f.agent_id WHERE f.file_deleted_at IS NULL
  UNION ALL
  SELECT a.owner_id, f.agent_id, p.kind, 1, p.bytes
  FROM (${madeFiles}) p JOIN assets f ON f.id = p.asset_id JOIN agents a ON a.id = f.agent_id
  WHERE f.file_deleted_at IS NULL
  UNION ALL
  SELECT owner_id, NULL, 'archive', 1, bytes FROM owner_exports WHERE state = 'ready'
  UNION ALL
  SELECT w.owner_id, d.agent_id, 'delivery', 0, pg_column_size(d)
  FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
  UNION ALL
  SELECT a.owner_id, a.id, r.kind, 0, r.bytes
  FROM (
    SELECT agent_id, 'text' AS kind, bytes FROM text_uses
    UNION ALL SELECT agent_id, 'text', -bytes FROM parquet_files WHERE counted_bytes IS NOT NULL
    UNION ALL SELECT agent_id, 'artwork', pg_column_size(k) FROM artworks k
    UNION ALL SELECT agent_id, 'record', pg_column_size(g) FROM audit_log g
    UNION ALL SELECT agent_id, 'answer', octet_length(concat(fingerprint, headers, body)) FROM idempotency_keys
    UNION ALL SELECT agent_id, 'event', pg_column_size(i) FROM event_inbox i
    UNION ALL SELECT agent_id, 'preview', pg_column_size(p) FROM previews p
  ) r JOIN agents a ON a.id = r.agent_id
  UNION ALL SELECT NULL, NULL, kind, 0, bytes FROM bytes_of_jobs()
  UNION ALL SELECT NULL, NULL, 'job', 0, pg_column_size(p) FROM pending_work p`;
const sums = sql.fragment`sum(s.files) AS files, coalesce(sum(s.bytes), 0)::bigint AS bytes`;

/**
 * What is stored of each kind, the most bytes first: files by their format, `parquet` that the service made of tables,
 * `archive` that owners requested of their own data, and what the database keeps for agents and owners.
 */
export async function sumStorageByKind(db: Db) {
  return await db.any(sql.type(Total)`
    SELECT s.kind AS name, ${sums} FROM (${stored}) s GROUP BY s.kind ORDER BY bytes DESC, name`);
}

/** What is stored of each owner, archives included, the most bytes first. */
export async function sumStorageByOwner(db: Db, limit: number) {
  return await db.any(sql.type(Total)`
    SELECT o.email AS name, ${sums} FROM (${stored}) s JOIN owners o ON o.id = s.owner_id
    GROUP BY o.id ORDER BY bytes DESC, name LIMIT ${limit}`);
}

/** What is stored of each agent, the most bytes first. */
export async function sumStorageByAgent(db: Db, limit: number) {
  return await db.any(sql.type(Total)`
    SELECT '@' || a.handle AS name, ${sums} FROM (${stored}) s JOIN agents a ON a.id = s.agent_id
    GROUP BY a.id ORDER BY bytes DESC, name LIMIT ${limit}`);
}

const Kept = z.strictObject({ name: z.string(), bytes: z.number() });

/** What the writes of each owner's agents kept on a UTC day beside texts and files, the most bytes first. */
export async function sumKeptOfDay(db: Db, day: string, limit: number) {
  return await db.any(sql.type(Kept)`
    SELECT o.email AS name, sum(d.kept_bytes)::bigint AS bytes
    FROM daily_counts d JOIN agents a ON a.id = d.agent_id JOIN owners o ON o.id = a.owner_id
    WHERE d.day = ${day}::date GROUP BY o.id ORDER BY bytes DESC, name LIMIT ${limit}`);
}
