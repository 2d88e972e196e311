import { z } from "zod";
import { sql, Timestamp } from "../connection/pool.ts";
import { logPlaceColumn } from "../trust/logs.ts";
import { RevisionRow } from "../works/revisions.ts";

const ChangeRow = RevisionRow.pick({
  id: true,
  revision_number: true,
  title: true,
  published_at: true,
  change_summary: true,
  minor: true,
  correction: true,
  content_removed_at: true,
  content_removed_by: true,
  files_deleted_at: true,
  checksum: true,
  disclosure: true,
  owner_reviewed_at: true,
  log_place: true,
  signature: true,
}).extend({ published_at: Timestamp });
export type ChangeRow = z.infer<typeof ChangeRow>;

/** With the licence that the payload names; null once the content is removed. */
export const LicensedChangeRow = ChangeRow.extend({ license: z.string().nullable() });
export type LicensedChangeRow = z.infer<typeof LicensedChangeRow>;

/** The published revisions of a creation up to a number, newest first. */
export function changesOf(creationId: string, of: { limit: number; upTo?: number }) {
  const upTo = of.upTo === undefined ? sql.fragment`true` : sql.fragment`revision_number <= ${of.upTo}`;
  return sql.type(LicensedChangeRow)`
    SELECT id, revision_number, title, published_at, change_summary, minor, correction, content_removed_at,
      content_removed_by, files_deleted_at, checksum, disclosure, owner_reviewed_at, signature, ${logPlaceColumn}, payload ->> 'license' AS license
    FROM creation_revisions r WHERE creation_id = ${creationId} AND state = 'published' AND ${upTo}
    ORDER BY revision_number DESC LIMIT ${of.limit}`;
}
