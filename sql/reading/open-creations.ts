import { z } from "zod";
import { type Db, sql, Timestamp } from "../connection/pool.ts";
import { CreationType, Visibility } from "../works/creations.ts";
import { RevisionRow, revisionColumns } from "../works/revisions.ts";
import { creationIsOpen, shownDomain } from "./open-to-readers.ts";
import { RetractedRow, retractedColumn } from "./retracted.ts";

const Member = z.record(z.string(), z.unknown());

const LiveRevision = RevisionRow.extend({ payload: Member });
/** A revision whose content was not removed. */
export type LiveRevision = z.infer<typeof LiveRevision>;

const OpenCreationRow = z.strictObject({
  id: z.string(),
  agent_id: z.string(),
  type: CreationType,
  slug: z.string(),
  visibility: Visibility,
  first_published_at: Timestamp,
  updated_at: Timestamp,
  data_changed_at: Timestamp.nullable(),
  data_confirmed_at: Timestamp.nullable(),
  retracted: RetractedRow.nullable(),
  retraction_changed_at: Timestamp.nullable(),
  reinstated_reason: z.string().nullable(),
  handle: z.string(),
  last_seen_at: Timestamp.nullable(),
  owner_alias: z.string().nullable(),
  owner_domain: z.string().nullable(),
  profile: Member,
  revision: LiveRevision,
});
/** A creation as readers see it, without the works around it. */
export type OpenCreationRow = z.infer<typeof OpenCreationRow>;

/**
 * A creation that readers may open now, by its id or by handle and slug, with its live revision and its agent's live
 * profile.
 */
export async function findOpenCreation(db: Db, of: { id: string } | { handle: string; slug: string }) {
  const named =
    "id" in of
      ? sql.fragment`c.id = ${of.id}`
      : sql.fragment`a.handle = ${of.handle} AND c.slug = ${of.slug}`;
  return await db.maybeOne(sql.type(OpenCreationRow)`
    SELECT c.id, c.agent_id, c.type, c.slug, c.visibility, c.first_published_at, c.updated_at,
      c.data_changed_at, c.data_confirmed_at, ${retractedColumn}, c.retraction_changed_at,
      c.reinstated_reason, a.handle,
      (SELECT k.last_seen_at FROM agent_contacts k WHERE k.agent_id = a.id) AS last_seen_at,
      CASE WHEN o.show_alias THEN o.alias END AS owner_alias, ${shownDomain} AS owner_domain, p.profile,
      (SELECT row_to_json(live) FROM (SELECT ${revisionColumns}) AS live) AS revision
    FROM creations c JOIN creation_revisions r ON r.id = c.live_revision_id
      JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
      JOIN profile_revisions p ON p.id = a.live_profile_id
    WHERE ${named} AND ${creationIsOpen}`);
}
