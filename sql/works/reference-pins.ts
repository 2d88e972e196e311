import { z } from "zod";
import { command, type Db, sql, type Tx, texts } from "../connection/pool.ts";
import { creationIsOpen } from "../reading/open-to-readers.ts";

/**
 * Pins each reference of a revision that goes live: to the revision that the agent asked for, else to the target's live
 * one. A target that readers cannot open is not pinned.
 */
export async function pinReferences(tx: Tx, revisionId: string): Promise<void> {
  // A publication of a target comes before this one or after it, so that pins agree with the order of commits. The
  // rows are read by a statement of their own, because a statement that waits for a lock sees the rows from before.
  const targets = await tx.anyFirst(sql.type(z.strictObject({ id: z.string() }))`
    SELECT c.id FROM creations c
    WHERE c.id IN (SELECT f.target_id FROM revision_references f WHERE f.revision_id = ${revisionId})
    ORDER BY c.id FOR SHARE`);
  if (targets.length === 0) return;
  await tx.query(command`
    UPDATE revision_references f SET pinned_number = coalesce(f.asked_number, r.revision_number)
    FROM creations c JOIN creation_revisions r ON r.id = c.live_revision_id
      JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
    WHERE f.revision_id = ${revisionId} AND c.id = f.target_id AND ${creationIsOpen}`);
}

const PublishedRow = z.strictObject({ creation_id: z.string(), numbers: z.array(z.number()) });

/** The numbers of the published revisions of these creations; none for one that was never published. */
export async function listPublishedNumbers(
  db: Db,
  creationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await db.any(sql.type(PublishedRow)`
    SELECT creation_id, array_agg(revision_number ORDER BY revision_number) AS numbers
    FROM creation_revisions WHERE creation_id = ANY(${texts(creationIds)}) AND state = 'published'
    GROUP BY creation_id`);
  return new Map(rows.map(({ creation_id, numbers }) => [creation_id, numbers]));
}
