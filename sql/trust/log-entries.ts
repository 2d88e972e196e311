import { z } from "zod";
import { command, type Db, sql, type Tx } from "../connection/pool.ts";

const Hashes = z.strictObject({ level: z.number(), first: z.number(), hashes: z.instanceof(Uint8Array) });

/** Hashes of one level, from `first` on: those of leaves are of level 0, those of full tiles of the levels above. */
export interface HashRange {
  level: number;
  first: number;
  width: number;
}

/** The hashes of each range, one after the other; a range without any is left out. */
export async function readHashes(db: Db, number: number, ranges: readonly HashRange[]) {
  if (ranges.length === 0) return [];
  const rows = ranges.map(({ level, first, width }) => [level, first, first + width]);
  return await db.any(sql.type(Hashes)`
    SELECT t.level, t.first, h.hashes
    FROM ${sql.unnest(rows, ["int2", "int8", "int8"])} AS t (level, first, last)
      JOIN LATERAL (
        SELECT string_agg(e.leaf_hash, ''::bytea ORDER BY e.index) AS hashes FROM log_entries e
        WHERE t.level = 0 AND e.log_number = ${number} AND e.index >= t.first AND e.index < t.last
        UNION ALL
        SELECT string_agg(n.hash, ''::bytea ORDER BY n.index) FROM log_nodes n
        WHERE t.level > 0 AND n.log_number = ${number} AND n.level = t.level AND n.index >= t.first
          AND n.index < t.last
      ) AS h ON h.hashes IS NOT NULL`);
}

const Entry = z.strictObject({ entry: z.instanceof(Uint8Array) });

/** Entries of a log from an index on, up to, not including, another. */
export async function listEntries(db: Db, number: number, span: { from: number; to: number }) {
  return await db.anyFirst(sql.type(Entry)`
    SELECT entry FROM log_entries WHERE log_number = ${number} AND index >= ${span.from} AND index < ${span.to}
    ORDER BY index`);
}

/** Adds entries behind the last one of a log. */
export async function insertEntries(
  tx: Tx,
  number: number,
  entries: readonly { index: number; entry: string; leafHash: Buffer }[],
): Promise<void> {
  const rows = entries.map(({ index, entry, leafHash }) => [index, entry, leafHash.toString("hex")]);
  await tx.query(command`
    INSERT INTO log_entries (log_number, index, entry, leaf_hash)
    SELECT ${number}, e.index, convert_to(e.entry, 'UTF8'), decode(e.leaf_hash, 'hex')
    FROM ${sql.unnest(rows, ["int8", "text", "text"])} AS e (index, entry, leaf_hash)`);
}

/** Adds the hashes of tiles that are full now. */
export async function insertNodes(
  tx: Tx,
  number: number,
  nodes: readonly { level: number; index: number; hash: Buffer }[],
): Promise<void> {
  if (nodes.length === 0) return;
  const rows = nodes.map(({ level, index, hash }) => [level, index, hash.toString("hex")]);
  await tx.query(command`
    INSERT INTO log_nodes (log_number, level, index, hash)
    SELECT ${number}, n.level, n.index, decode(n.hash, 'hex')
    FROM ${sql.unnest(rows, ["int2", "int8", "text"])} AS n (level, index, hash)`);
}
