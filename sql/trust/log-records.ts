import { z } from "zod";
import { type Db, sql } from "../connection/pool.ts";
import { creationIsOpen } from "../reading/open-to-readers.ts";

const OpenRecord = z.strictObject({
  unlisted: z.boolean(),
  /** Whether the content of the revision is removed; null where it was not published. */
  removed: z.boolean().nullable(),
  /** Null where no log has it, and so are the members below. */
  log_number: z.number().nullable(),
  index: z.number().nullable(),
  entry: z.instanceof(Uint8Array).nullable(),
  nonce: z.instanceof(Uint8Array).nullable(),
  statement: z.string().nullable(),
  size: z.number().nullable(),
  note: z.string().nullable(),
});
/** The entry of a publication, what opens its commitment, and the newest checkpoint of its log. */
export type OpenRecordRow = z.infer<typeof OpenRecord>;

/** What a log has of the publication of a revision, of a work that readers may open now; null for any other work. */
export async function findOpenRecord(
  db: Db,
  { handle, slug, number }: { handle: string; slug: string; number: number | null },
): Promise<OpenRecordRow | null> {
  return await db.maybeOne(sql.type(OpenRecord)`
    SELECT c.visibility = 'unlisted' AS unlisted, CASE WHEN r.id IS NOT NULL THEN r.content_removed_at IS NOT NULL END AS removed,
      k.log_number, k.index, e.entry, k.nonce, k.statement, p.size, p.note
    FROM creations c JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
      LEFT JOIN creation_revisions r ON r.creation_id = c.id AND r.revision_number = ${number}::int
        AND r.state = 'published' AND r.published_at IS NOT NULL
      LEFT JOIN log_records k ON k.revision_id = r.id
      LEFT JOIN log_entries e ON e.log_number = k.log_number AND e.index = k.index
      LEFT JOIN LATERAL (
        SELECT size, note FROM log_checkpoints WHERE log_number = k.log_number ORDER BY size DESC LIMIT 1
      ) AS p ON true
    WHERE a.handle = ${handle} AND c.slug = ${slug} AND ${creationIsOpen}`);
}
