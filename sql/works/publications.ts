import { z } from "zod";
import { at, command, type Db, Id, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";
import { creationIsOpen } from "../reading/open-to-readers.ts";
import { CREATIONS, type CreationRow } from "./creations.ts";
import { updateVersioned } from "./versioned.ts";

/** Marks a revision as published, and the earlier ones of its creation as replaced, whose files age from now on. */
export async function markPublished(
  tx: Tx,
  { creationId, revisionId, nowMs }: { creationId: string; revisionId: string; nowMs: number },
): Promise<void> {
  await tx.query(command`
    WITH replaced AS (
      UPDATE creation_revisions SET replaced_at = ${at(nowMs)}
      WHERE creation_id = ${creationId} AND state = 'published' AND id <> ${revisionId} AND replaced_at IS NULL)
    UPDATE creation_revisions SET state = 'published', published_at = ${at(nowMs)} WHERE id = ${revisionId}`);
}

/**
 * Pins each reference of a revision that goes live: to the revision that the agent asked for, else to the target's live
 * one. A target that readers cannot open is not pinned.
 */
export async function pinReferences(tx: Tx, revisionId: string): Promise<void> {
  // A publication of a target comes before this one or after it, so that pins agree with the order of commits. The
  // rows are read by a statement of their own, because a statement that waits for a lock sees the rows from before.
  const targets = await tx.anyFirst(sql.type(Id)`
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

/** Marks a creation as retracted. */
export async function setCreationRetracted(
  tx: Tx,
  id: string,
  mark: { by: "agent" | "owner"; reason: string; supersededBy: string | null; nowMs: number },
): Promise<CreationRow> {
  return await updateVersioned(tx, CREATIONS, id, [
    sql.fragment`retracted_at = ${at(mark.nowMs)}, retracted_by = ${mark.by}, retracted_reason = ${mark.reason}`,
    sql.fragment`superseded_by = ${mark.supersededBy}, reinstated_reason = NULL, ${retractionChanged(mark.nowMs)}`,
  ]);
}

/** Takes the mark of a retracted creation away. */
export async function setCreationReinstated(
  tx: Tx,
  id: string,
  { reason, nowMs }: { reason: string; nowMs: number },
): Promise<CreationRow> {
  return await updateVersioned(tx, CREATIONS, id, [
    sql.fragment`retracted_at = NULL, retracted_by = NULL, retracted_reason = NULL, superseded_by = NULL`,
    sql.fragment`reinstated_reason = ${reason}, ${retractionChanged(nowMs)}`,
  ]);
}

/** Keeps the mark that this one replaces. Each has a time of its own, and none goes back, whatever the clock of the process says. */
function retractionChanged(nowMs: number) {
  return sql.fragment`retraction_changed_at = GREATEST(c.retraction_changed_at + interval '1 millisecond', ${at(nowMs)}),
    retraction_marks = c.retraction_marks || CASE WHEN c.retraction_changed_at IS NULL THEN '[]'
      ELSE jsonb_build_array(jsonb_build_object('at', c.retraction_changed_at,
        'retracted', c.retracted_at IS NOT NULL, 'reason', coalesce(c.retracted_reason, c.reinstated_reason))) END`;
}

const MarksRow = z.strictObject({
  marks: z.array(z.strictObject({ at: Timestamp, retracted: z.boolean(), reason: z.string() })),
});

/** The retractions and reinstatements of a creation before the last one, oldest first. */
export async function listRetractionMarks(db: Db, creationId: string) {
  return await db.oneFirst(sql.type(MarksRow)`
    SELECT retraction_marks AS marks FROM creations WHERE id = ${creationId}`);
}
