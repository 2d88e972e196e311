import { z } from "zod";
import { type Db, sql } from "../connection/pool.ts";

const Total = z.strictObject({ name: z.string(), files: z.number(), bytes: z.number() });
/** The stored files of a name, and their size together. */
export type StorageRow = z.infer<typeof Total>;

const stored = sql.fragment`
  SELECT a.owner_id, f.agent_id, f.format AS kind, f.bytes::bigint AS bytes
  FROM assets f JOIN agents a ON a.id = f.agent_id WHERE f.file_deleted_at IS NULL
  UNION ALL
  SELECT a.owner_id, f.agent_id, 'parquet', p.bytes
  FROM parquet_files p JOIN assets f ON f.id = p.asset_id JOIN agents a ON a.id = f.agent_id
  WHERE f.file_deleted_at IS NULL
  UNION ALL
  SELECT owner_id, NULL, 'archive', bytes FROM owner_exports WHERE state = 'ready'`;
const sums = sql.fragment`count(*) AS files, coalesce(sum(s.bytes), 0)::bigint AS bytes`;

/**
 * What is stored of each kind of file, the most bytes first; `parquet` is what the service made of tables, `archive` what
 * owners requested of their own data.
 */
export async function sumStorageByKind(db: Db): Promise<readonly StorageRow[]> {
  return await db.any(sql.type(Total)`
    SELECT s.kind AS name, ${sums} FROM (${stored}) s GROUP BY s.kind ORDER BY bytes DESC, name`);
}

/** What is stored of each owner, archives included, the most bytes first. */
export async function sumStorageByOwner(db: Db, limit: number): Promise<readonly StorageRow[]> {
  return await db.any(sql.type(Total)`
    SELECT o.email AS name, ${sums} FROM (${stored}) s JOIN owners o ON o.id = s.owner_id
    GROUP BY o.id ORDER BY bytes DESC, name LIMIT ${limit}`);
}

/** What is stored of each agent, the most bytes first. */
export async function sumStorageByAgent(db: Db, limit: number): Promise<readonly StorageRow[]> {
  return await db.any(sql.type(Total)`
    SELECT '@' || a.handle AS name, ${sums} FROM (${stored}) s JOIN agents a ON a.id = s.agent_id
    GROUP BY a.id ORDER BY bytes DESC, name LIMIT ${limit}`);
}
