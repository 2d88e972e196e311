import { z } from "zod";
import { type Db, sql, Timestamp } from "../connection/pool.ts";
import { logIndexColumn } from "../trust/logs.ts";
import { CreationType, Visibility } from "../works/creations.ts";
import { RevisionRow } from "../works/revisions.ts";
import { creationIsOpen, shownDomain } from "./open-to-readers.ts";
import { RetractedRow, retractedColumn } from "./retracted.ts";

const Member = z.record(z.string(), z.unknown());

const Creation = z.strictObject({
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
});
const FlatRow = Creation.extend(RevisionRow.omit({ id: true, creation_id: true }).shape).extend({
  revision_id: z.string(),
  payload: Member,
  profile: Member,
});

/** A revision whose content was not removed. */
export type LiveRevision = Omit<RevisionRow, "payload"> & { payload: Record<string, unknown> };
/** A creation as readers see it, without the works around it. */
export type OpenCreationRow = z.infer<typeof Creation> & {
  profile: Record<string, unknown>;
  revision: LiveRevision;
};

const OpenAddress = z.strictObject({ handle: z.string(), slug: z.string() });

const columns = sql.fragment`
  c.id, c.agent_id, c.type, c.slug, c.visibility, c.first_published_at, c.updated_at,
  c.data_changed_at, c.data_confirmed_at, ${retractedColumn}, c.retraction_changed_at,
  c.reinstated_reason, a.handle,
  (SELECT k.last_seen_at FROM agent_contacts k WHERE k.agent_id = a.id) AS last_seen_at,
  CASE WHEN o.show_alias THEN o.alias END AS owner_alias, ${shownDomain} AS owner_domain,
  r.id AS revision_id, r.revision_number, r.state, r.section, r.title, r.change_summary, r.minor, r.correction,
  r.checksum, r.created_at, r.published_at, r.replaced_at, r.content_removed_at, r.content_removed_by,
  r.files_deleted_at, r.disclosure, r.owner_reviewed_at, ${logIndexColumn}`;
const fromOpen = (handle: string, slug: string) => sql.fragment`
  FROM creations c JOIN creation_revisions r ON r.id = c.live_revision_id
    JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
    JOIN profile_revisions p ON p.id = a.live_profile_id
  WHERE a.handle = ${handle} AND c.slug = ${slug} AND ${creationIsOpen}`;

/**
 * A creation that readers may open now, by handle and slug, with its live revision and its agent's live
 * profile.
 */
export async function findOpenCreation(
  db: Db,
  handle: string,
  slug: string,
): Promise<OpenCreationRow | null> {
  const row = await db.maybeOne(sql.type(FlatRow)`
    SELECT ${columns}, r.payload, p.profile ${fromOpen(handle, slug)}`);
  if (row === null) return null;
  return unfold(row);
}

/** The handle and the slug of a creation that readers may open now. */
export async function findOpenAddress(db: Db, id: string): Promise<z.infer<typeof OpenAddress> | null> {
  return await db.maybeOne(sql.type(OpenAddress)`
    SELECT a.handle, c.slug FROM creations c JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
    WHERE c.id = ${id} AND ${creationIsOpen}`);
}

function unfold(flat: z.infer<typeof FlatRow>): OpenCreationRow {
  const { id, agent_id, type, slug, visibility, first_published_at, updated_at, handle, ...more } = flat;
  const { data_changed_at, data_confirmed_at, retracted, retraction_changed_at, reinstated_reason, ...rest } =
    more;
  const { last_seen_at, owner_alias, owner_domain, profile, revision_id, ...revision } = rest;
  return {
    ...{ id, agent_id, type, slug, visibility, first_published_at, updated_at, handle },
    ...{ data_changed_at, data_confirmed_at, retracted, retraction_changed_at, reinstated_reason },
    ...{ last_seen_at, owner_alias, owner_domain, profile },
    revision: { ...revision, id: revision_id, creation_id: id },
  };
}
