import { z } from "zod";
import { type Db, sql, Timestamp } from "../connection/pool.ts";
import { FileRow } from "../datasets/revision-files.ts";
import { CollectionRow, type CreationRow, scheduleColumns } from "./creations.ts";
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
  live: LiveRow.nullable(),
  schedule: ScheduleRow.omit({ creation_id: true }).nullable(),
  collections: z.array(CollectionRow),
  files: z.array(NamedFileRow.extend({ is_deleted: z.boolean() })),
});
type PresentedRow = z.infer<typeof PresentedRow>;

const live = sql.fragment`
  (SELECT row_to_json(l) FROM (
    SELECT p.id, p.revision_number, p.state, p.title, p.section, p.checksum,
      floor(extract(epoch FROM p.published_at) * 1000)::float8 AS published_at
    FROM creation_revisions p WHERE p.id = c.live_revision_id) l)`;

const collections = sql.fragment`
  (SELECT coalesce(json_agg(json_build_object('id', k.id, 'title', k.title, 'slug', k.slug,
      'in_published_revision', k.in_published_revision) ORDER BY k.created_at DESC, k.id DESC), '[]'::json)
    FROM (
      SELECT o.id, newest.title, o.slug, o.created_at,
        bool_or(e.revision_id = o.live_revision_id) IS TRUE AS in_published_revision
      FROM revision_entries e JOIN creation_revisions v ON v.id = e.revision_id
        JOIN creations o ON o.id = v.creation_id AND e.revision_id IN (o.latest_revision_id, o.live_revision_id)
        JOIN creation_revisions newest ON newest.id = o.latest_revision_id
      WHERE e.entry_id = c.id AND o.agent_id = c.agent_id
      GROUP BY o.id, newest.title, o.slug, o.created_at) k)`;

const files = sql.fragment`
  (SELECT coalesce(json_agg(json_build_object('asset_id', f.asset_id, 'label', f.label, 'notes', f.notes,
      'format', s.format, 'filename', s.filename, 'bytes', s.bytes, 'content_sha256', s.content_sha256,
      'is_deleted', s.file_deleted_at IS NOT NULL) ORDER BY f.position), '[]'::json)
    FROM revision_files f JOIN assets s ON s.id = f.asset_id WHERE f.revision_id = r.id)`;

type Named = Pick<CreationRow, "id" | "agent_id" | "latest_revision_id" | "live_revision_id">;

const presentedColumns = sql.fragment`${revisionColumns}, ${live} AS live, ${scheduleColumns} AS schedule,
  ${collections} AS collections, ${files} AS files`;

const fromLatestOf = (creation: Named) => sql.fragment`
  FROM (SELECT ${creation.id}::text AS id, ${creation.agent_id}::text AS agent_id,
      ${creation.live_revision_id}::text AS live_revision_id) c,
    creation_revisions r WHERE r.id = ${creation.latest_revision_id}`;

/**
 * The latest revision of a creation with all that its agent sees beside it, in one statement: the live revision,
 * the newest schedule, the agent's collections that list it, and its files. The revisions are those that the
 * creation's row names.
 */
export async function findPresentedRevision(db: Db, creation: Named): Promise<PresentedRow | null> {
  return await db.maybeOne(sql.type(PresentedRow)`SELECT ${presentedColumns} ${fromLatestOf(creation)}`);
}

const PublishableRow = RevisionRow.extend({
  live_section: RevisionRow.shape.section,
  asks_data: z.boolean(),
  names_works: z.boolean(),
});
type PublishableRow = z.infer<typeof PublishableRow>;

/**
 * The latest revision of a creation, with the section of the live one, whether it asks data for charts or figures, and
 * whether it names works.
 */
export async function findPublishableRevision(db: Db, creation: Named): Promise<PublishableRow | null> {
  return await db.maybeOne(sql.type(PublishableRow)`
    SELECT ${revisionColumns},
      (SELECT p.section FROM creation_revisions p WHERE p.id = c.live_revision_id) AS live_section,
      EXISTS (SELECT FROM revision_charts k WHERE k.revision_id = r.id)
        OR EXISTS (SELECT FROM revision_figures k WHERE k.revision_id = r.id) AS asks_data,
      EXISTS (SELECT FROM revision_references k WHERE k.revision_id = r.id) AS names_works
    ${fromLatestOf(creation)}`);
}
