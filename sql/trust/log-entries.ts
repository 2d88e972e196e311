import { z } from "zod";
import { command, type Db, sql, type Tx } from "../connection/pool.ts";
import { creationIsOpen, frontPageIsOpen } from "../reading/open-to-readers.ts";

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

const Record = z.strictObject({
  /** Null where no log has it, and so are the members below. */
  log_number: z.number().nullable(),
  index: z.number().nullable(),
  entry: z.instanceof(Uint8Array).nullable(),
  nonce: z.instanceof(Uint8Array).nullable(),
  statement: z.string().nullable(),
  size: z.number().nullable(),
  note: z.string().nullable(),
});
/** An entry, what opens its commitment, and the checkpoint of its log that its proof has. */
export type RecordRow = z.infer<typeof Record>;

const OpenRecord = Record.extend({
  unlisted: z.boolean(),
  /** Whether the content of the revision is removed; null where it was not published. */
  removed: z.boolean().nullable(),
});

/** What a record `k` leads to: its entry `e`, and a checkpoint `p` of its log. */
const joinProof = (quorum: number) => sql.fragment`
      LEFT JOIN log_entries e ON e.log_number = k.log_number AND e.index = k.index
      LEFT JOIN LATERAL (
        SELECT size, note || array_to_string(array(SELECT s.line FROM log_cosignatures s
          WHERE s.log_number = k.log_number AND s.size = found.size ORDER BY s.vkey), '') AS note
        FROM (
          (SELECT 1 AS choice, size, note FROM log_checkpoints WHERE ${quorum} > 0 AND log_number = k.log_number
            AND size > k.index AND witnesses >= ${quorum} ORDER BY size DESC LIMIT 1)
          UNION ALL
          (SELECT 2, size, note FROM log_checkpoints WHERE log_number = k.log_number ORDER BY size DESC LIMIT 1)
        ) AS found ORDER BY choice LIMIT 1
      ) AS p ON true`;

/**
 * What a log has of the publication of a revision, of a work that readers may open now, with the newest checkpoint that as
 * many witnesses signed as the quorum says, else the newest; null for any other work.
 */
export async function findOpenRecord(
  db: Db,
  { handle, slug, number, quorum }: { handle: string; slug: string; number: number | null; quorum: number },
): Promise<z.infer<typeof OpenRecord> | null> {
  return await db.maybeOne(sql.type(OpenRecord)`
    SELECT c.visibility = 'unlisted' AS unlisted, CASE WHEN r.id IS NOT NULL THEN r.content_removed_at IS NOT NULL END AS removed,
      k.log_number, k.index, e.entry, k.nonce, k.statement, p.size, p.note
    FROM creations c JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
      LEFT JOIN creation_revisions r ON r.creation_id = c.id AND r.revision_number = ${number}::int
        AND r.state = 'published' AND r.published_at IS NOT NULL
      LEFT JOIN log_records k ON k.revision_id = r.id
      ${joinProof(quorum)}
    WHERE a.handle = ${handle} AND c.slug = ${slug} AND ${creationIsOpen}`);
}

/** What a log has of the last change of the keys of an agent whose front page readers may open; null for any other. */
export async function findOpenKeyRecord(db: Db, handle: string, quorum: number): Promise<RecordRow | null> {
  return await db.maybeOne(sql.type(Record)`
    SELECT k.log_number, k.index, e.entry, k.nonce, k.statement, p.size, p.note
    FROM agents a JOIN owners o ON o.id = a.owner_id JOIN profile_revisions l ON l.id = a.live_profile_id
      LEFT JOIN LATERAL (SELECT * FROM log_key_records r WHERE r.agent_id = a.id
        ORDER BY r.log_number DESC, r.index DESC LIMIT 1) AS k ON true
      ${joinProof(quorum)}
    WHERE a.handle = ${handle} AND ${frontPageIsOpen}`);
}
