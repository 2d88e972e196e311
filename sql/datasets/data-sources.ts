import { command, type Tx } from "../connection/pool.ts";
import { creationIsOpen } from "../reading/open-to-readers.ts";

/**
 * Names the source of those charts and figures of a revision that have none yet: the open work, a public one first, with
 * a published revision that has the file, and the newest such revision. Each source becomes a reference of the revision,
 * unless it is one already.
 */
export async function nameDataSources(tx: Tx, revisionId: string): Promise<void> {
  await tx.query(command`
    WITH asked AS (
      SELECT asset_id, creation_id FROM revision_charts WHERE revision_id = ${revisionId} AND source_id IS NULL
      UNION SELECT asset_id, creation_id FROM revision_figures WHERE revision_id = ${revisionId} AND source_id IS NULL
    ), found AS (
      SELECT DISTINCT ON (m.asset_id) m.asset_id, c.id AS source_id, r.revision_number
      FROM asked m JOIN revision_files f ON f.asset_id = m.asset_id
        JOIN creation_revisions r ON r.id = f.revision_id JOIN creations c ON c.id = r.creation_id
        JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
      WHERE c.id <> m.creation_id AND r.state = 'published' AND r.content_removed_at IS NULL AND ${creationIsOpen}
      ORDER BY m.asset_id, (c.visibility = 'public') DESC, c.first_published_at, c.id, r.revision_number DESC
    ), named_figures AS (
      UPDATE revision_figures k SET source_id = found.source_id, source_revision_number = found.revision_number
      FROM found WHERE k.revision_id = ${revisionId} AND k.source_id IS NULL AND k.asset_id = found.asset_id
    )
    UPDATE revision_charts k SET source_id = found.source_id, source_revision_number = found.revision_number
    FROM found WHERE k.revision_id = ${revisionId} AND k.source_id IS NULL AND k.asset_id = found.asset_id`);
  await tx.query(command`
    INSERT INTO revision_references (revision_id, position, target_id, relation, note)
    SELECT ${revisionId}, min(k.place), k.source_id, 'uses', NULL FROM (
      SELECT 50 + chart_number AS place, source_id FROM revision_charts WHERE revision_id = ${revisionId}
      UNION ALL SELECT 71 + position, source_id FROM revision_figures WHERE revision_id = ${revisionId}) AS k
    WHERE k.source_id IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM revision_references f WHERE f.revision_id = ${revisionId} AND f.target_id = k.source_id)
    GROUP BY k.source_id`);
}
