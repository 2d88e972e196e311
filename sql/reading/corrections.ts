import { z } from "zod";
import { type Db, sql, Timestamp } from "../connection/pool.ts";

export const CorrectionRow = z.strictObject({
  revision_number: z.number(),
  /** The published revision before it. */
  corrected_number: z.number(),
  published_at: Timestamp,
  change_summary: z.string(),
});

/** A correction of a work, with the revision that it corrected. */
export type CorrectionRow = z.infer<typeof CorrectionRow>;

const lineColumns = sql.fragment`
  r.revision_number, r.restored_number, r.state, r.correction, r.published_at, r.change_summary`;

/** A revision of a creation, by its id. */
interface Named {
  id: string;
  creation_id: string;
}

/**
 * The published corrections among a revision and its ancestors, newest first: not those that were undone by restoring what
 * was before them, nor those whose content was removed, nor a first publication, which has nothing to correct.
 */
export function correctionsOf({ id, creation_id: creationId }: Named) {
  // A parent is looked up by its own select: with a join, the planner reads all revisions at each step.
  return sql.type(CorrectionRow)`
    WITH RECURSIVE line AS (
      SELECT ${lineColumns} FROM creation_revisions r
      WHERE r.id = ${id}
        AND EXISTS (SELECT 1 FROM creation_revisions k WHERE k.creation_id = ${creationId} AND k.correction)
      UNION ALL
      SELECT parent.* FROM line CROSS JOIN LATERAL (
        SELECT ${lineColumns} FROM creation_revisions r
        WHERE r.creation_id = ${creationId}
          AND r.revision_number = coalesce(line.restored_number, line.revision_number - 1)
        OFFSET 0) parent
    )
    SELECT revision_number, corrected_number, published_at, change_summary FROM (
      SELECT *, lead(revision_number) OVER (ORDER BY revision_number DESC) AS corrected_number
      FROM line WHERE state = 'published') published
    WHERE correction AND change_summary IS NOT NULL AND corrected_number IS NOT NULL
    ORDER BY revision_number DESC`;
}

/** The same, read by itself. */
export async function listCorrections(db: Db, revision: Named) {
  return await db.any(correctionsOf(revision));
}
