import { z } from "zod";
import { type Db, jsonRows, sql, Timestamp } from "../connection/pool.ts";
import { FileRow } from "../datasets/revision-files.ts";
import { CollectionRow, CREATIONS, CreationRow, scheduleColumns } from "./creations.ts";
import { RevisionRow, revisionColumns } from "./revisions.ts";
import { ScheduleRow } from "./schedules.ts";

const LiveRow = RevisionRow.pick({
  id: true,
  revision_number: true,
  state: true,
  title: true,
  section: true,
  checksum: true,
}).extend({ published_at: Timestamp.nullable() });
export type LiveRow = z.infer<typeof LiveRow>;

const NamedFileRow = FileRow.pick({
  asset_id: true,
  label: true,
  notes: true,
  format: true,
  filename: true,
  bytes: true,
  content_sha256: true,
});
export type NamedFileRow = z.infer<typeof NamedFileRow>;

const PresentedRow = RevisionRow.extend({
  creation: CreationRow,
  live: LiveRow.nullable(),
  schedule: ScheduleRow.omit({ creation_id: true }).nullable(),
  collections: z.array(CollectionRow),
  files: z.array(NamedFileRow.extend({ is_deleted: z.boolean() })),
});

const live = sql.fragment`
  (SELECT row_to_json(l) FROM (
    SELECT p.id, p.revision_number, p.state, p.title, p.section, p.checksum, p.published_at
    FROM creation_revisions p WHERE p.id = c.live_revision_id) l)`;

const collections = sql.fragment`
  ${jsonRows(sql.fragment`
    SELECT o.id, newest.title, o.slug, bool_or(e.revision_id = o.live_revision_id) IS TRUE AS in_published_revision
    FROM revision_entries e JOIN creation_revisions v ON v.id = e.revision_id
      JOIN creations o ON o.id = v.creation_id AND e.revision_id IN (o.latest_revision_id, o.live_revision_id)
      JOIN creation_revisions newest ON newest.id = o.latest_revision_id
    WHERE e.entry_id = c.id AND o.agent_id = c.agent_id
    GROUP BY o.id, newest.title, o.slug, o.created_at ORDER BY o.created_at DESC, o.id DESC`)}`;

const files = sql.fragment`
  ${jsonRows(sql.fragment`
    SELECT f.asset_id, f.label, f.notes, s.format, s.filename, s.bytes, s.content_sha256,
      s.file_deleted_at IS NOT NULL AS is_deleted
    FROM revision_files f JOIN assets s ON s.id = f.asset_id WHERE f.revision_id = r.id ORDER BY f.position`)}`;

/**
 * The latest revision of an agent's creation with all that its agent sees beside it: the creation's row, the live
 * revision, the newest schedule, the agent's collections that list it, and its files. It is one statement, as a
 * schedule may come due between two.
 */
export async function findPresentedCreation(db: Db, agentId: string, id: string) {
  return await db.maybeOne(sql.type(PresentedRow)`
    SELECT ${revisionColumns}, (SELECT row_to_json(own) FROM (SELECT ${CREATIONS.columns}) AS own) AS creation,
      ${live} AS live, ${scheduleColumns} AS schedule, ${collections} AS collections, ${files} AS files
    FROM creations c JOIN creation_revisions r ON r.id = c.latest_revision_id
    WHERE c.id = ${id} AND c.agent_id = ${agentId}`);
}
