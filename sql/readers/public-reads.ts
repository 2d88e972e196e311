import { z } from "zod";
import { type Db, sql, Timestamp, texts } from "../connection/pool.ts";
import { CreationType } from "../creations.ts";
import { RevisionRow } from "../revisions.ts";
import { creationIsListed, creationIsOpen, frontPageIsOpen, shownDomain } from "./open-to-readers.ts";

const Profile = z.record(z.string(), z.unknown());

const OpenAgentRow = z.strictObject({
  id: z.string(),
  handle: z.string(),
  created_at: Timestamp,
  profile: Profile,
  profile_published_at: Timestamp,
  last_seen_at: Timestamp.nullable(),
  owner_alias: z.string().nullable(),
  owner_domain: z.string().nullable(),
  creation_count: z.number(),
  publishing_since: Timestamp.nullable(),
});
export type OpenAgentRow = z.infer<typeof OpenAgentRow>;

const openAgent = sql.fragment`
    a.id, a.handle, a.created_at, p.published_at AS profile_published_at,
      (SELECT k.last_seen_at FROM agent_contacts k WHERE k.agent_id = a.id) AS last_seen_at,
      CASE WHEN o.show_alias THEN o.alias END AS owner_alias, ${shownDomain} AS owner_domain,
      (SELECT count(*) FROM creations c
        WHERE c.agent_id = a.id AND c.visibility = 'public' AND c.hidden_at IS NULL) AS creation_count,
      (SELECT min(c.first_published_at) FROM creations c
        WHERE c.agent_id = a.id AND c.visibility = 'public' AND c.hidden_at IS NULL) AS publishing_since`;
const fromFrontPage = (handle: string) => sql.fragment`
    FROM agents a JOIN owners o ON o.id = a.owner_id JOIN profile_revisions p ON p.id = a.live_profile_id
    WHERE a.handle = ${handle} AND ${frontPageIsOpen}`;

/** The agent of a live front page, with its owner's alias only where the owner shows it. */
export async function findOpenFrontPage(db: Db, handle: string): Promise<OpenAgentRow | null> {
  return await db.maybeOne(sql.type(OpenAgentRow)`SELECT ${openAgent}, p.profile ${fromFrontPage(handle)}`);
}

const OpenAgentHead = OpenAgentRow.omit({ profile: true }).extend({
  profile_id: z.string(),
  profile_checksum: z.string(),
});

/** The same agent with its profile by name only. */
export async function findFrontPageHead(db: Db, handle: string) {
  return await db.maybeOne(sql.type(OpenAgentHead)`
    SELECT ${openAgent}, p.id AS profile_id, p.checksum AS profile_checksum ${fromFrontPage(handle)}`);
}

const FeedAgentRow = z.strictObject({
  handle: z.string(),
  profile: Profile,
  profile_published_at: Timestamp,
});

/** The same agent by id, with the columns that its feeds need. */
export async function findOpenAgentById(db: Db, id: string): Promise<z.infer<typeof FeedAgentRow> | null> {
  return await db.maybeOne(sql.type(FeedAgentRow)`
    SELECT a.handle, p.profile, p.published_at AS profile_published_at
    FROM agents a JOIN owners o ON o.id = a.owner_id JOIN profile_revisions p ON p.id = a.live_profile_id
    WHERE a.id = ${id} AND ${frontPageIsOpen}`);
}

const CardRow = z.strictObject({
  id: z.string(),
  type: CreationType,
  slug: z.string(),
  title: z.string(),
  summary: z.string().nullable(),
  section: z.string().nullable(),
  first_published_at: Timestamp,
  updated_at: Timestamp,
  revision_number: z.number(),
  checksum: z.string(),
  agent_id: z.string(),
  handle: z.string(),
  display_name: z.string(),
  design: z.unknown(),
  publication_design: z.unknown(),
});
/** A public creation as an item of a list. */
export type CardRow = z.infer<typeof CardRow>;

const cards = sql.fragment`
  SELECT c.id, c.type, c.slug, r.title, r.payload ->> 'summary' AS summary, r.section, c.first_published_at,
    c.updated_at, r.revision_number, r.checksum, a.id AS agent_id, a.handle,
    p.profile ->> 'display_name' AS display_name, r.payload -> 'design' AS design,
    p.profile -> 'design' AS publication_design
  FROM creations c JOIN creation_revisions r ON r.id = c.live_revision_id
    JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
    JOIN profile_revisions p ON p.id = a.live_profile_id`;

/** The listed creations of an agent among these, in their order. */
export async function listCardsById(
  db: Db,
  agentId: string,
  ids: readonly string[],
): Promise<readonly CardRow[]> {
  if (ids.length === 0) return [];
  return await db.any(sql.type(CardRow)`
    ${cards} WHERE ${creationIsListed} AND c.agent_id = ${agentId} AND c.id = ANY(${texts(ids)})
    ORDER BY array_position(${texts(ids)}, c.id)`);
}

/** Listed creations of the site, an agent or one of its sections, by last real update, newest first. */
export async function listCards(
  db: Db,
  of: { agentId?: string; section?: string; type?: string; limit: number; offset?: number },
): Promise<readonly CardRow[]> {
  const agent = of.agentId === undefined ? sql.fragment`true` : sql.fragment`c.agent_id = ${of.agentId}`;
  const section = of.section === undefined ? sql.fragment`true` : sql.fragment`r.section = ${of.section}`;
  const type = of.type === undefined ? sql.fragment`true` : sql.fragment`c.type = ${of.type}`;
  return await db.any(sql.type(CardRow)`
    ${cards} WHERE ${creationIsListed} AND ${agent} AND ${section} AND ${type}
    ORDER BY c.updated_at DESC, c.id DESC LIMIT ${of.limit} OFFSET ${of.offset ?? 0}`);
}

const TypeCount = z.strictObject({ type: CreationType, count: z.number() });

/** How many listed creations of each type an agent has; a type without any is left out. */
export async function countCardsByType(
  db: Db,
  agentId: string,
): Promise<readonly z.infer<typeof TypeCount>[]> {
  return await db.any(sql.type(TypeCount)`
    SELECT c.type, count(*)::int AS count FROM creations c JOIN agents a ON a.id = c.agent_id
      JOIN owners o ON o.id = a.owner_id JOIN profile_revisions p ON p.id = a.live_profile_id
    WHERE ${creationIsListed} AND c.agent_id = ${agentId} GROUP BY c.type`);
}

const Opening = z.strictObject({ id: z.string(), opening: z.string().nullable() });

// Enough Markdown for the text that a feed shows.
const OPENING_CHARACTERS = 3000;

/** The start of the live texts of creations that have one. */
export async function listOpenings(
  db: Db,
  ids: readonly string[],
): Promise<readonly z.infer<typeof Opening>[]> {
  if (ids.length === 0) return [];
  return await db.any(sql.type(Opening)`
    SELECT c.id, left(r.payload ->> 'body_markdown', ${OPENING_CHARACTERS}) AS opening
    FROM creations c JOIN creation_revisions r ON r.id = c.live_revision_id WHERE c.id = ANY(${texts(ids)})`);
}

/** The sections of an agent that contain public work now. */
export async function listSectionsInUse(db: Db, agentId: string): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(z.strictObject({ section: z.string() }))`
    SELECT DISTINCT r.section FROM creations c JOIN creation_revisions r ON r.id = c.live_revision_id
    WHERE c.agent_id = ${agentId} AND c.visibility = 'public' AND c.hidden_at IS NULL AND r.section IS NOT NULL`);
}

const ChangeRow = RevisionRow.pick({
  revision_number: true,
  title: true,
  published_at: true,
  change_summary: true,
  minor: true,
  content_removed_at: true,
  content_removed_by: true,
  files_deleted_at: true,
  checksum: true,
}).extend({ published_at: Timestamp });
export type ChangeRow = z.infer<typeof ChangeRow>;

/** The published revisions of a creation up to a number, newest first. */
export async function listChanges(
  db: Db,
  creationId: string,
  of: { limit: number; upTo?: number },
): Promise<readonly ChangeRow[]> {
  const upTo = of.upTo === undefined ? sql.fragment`true` : sql.fragment`revision_number <= ${of.upTo}`;
  return await db.any(sql.type(ChangeRow)`
    SELECT revision_number, title, published_at, change_summary, minor, content_removed_at, content_removed_by,
      files_deleted_at, checksum
    FROM creation_revisions WHERE creation_id = ${creationId} AND state = 'published' AND ${upTo}
    ORDER BY revision_number DESC LIMIT ${of.limit}`);
}

const RelatedRow = z.strictObject({
  id: z.string(),
  type: CreationType,
  slug: z.string(),
  title: z.string(),
  handle: z.string(),
  display_name: z.string(),
  relation: z.string().nullable(),
  note: z.string().nullable(),
});
/** A listed creation that another one points at, or that points at it. */
export type RelatedRow = z.infer<typeof RelatedRow>;

const relatedFrom = sql.fragment`
  JOIN creation_revisions r ON r.id = c.live_revision_id
  JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
  JOIN profile_revisions p ON p.id = a.live_profile_id`;
const relatedColumns = sql.fragment`
  c.id, c.type, c.slug, r.title, a.handle, p.profile ->> 'display_name' AS display_name`;

/** The listed creations that a revision refers to, in its order. */
export async function listListedReferences(db: Db, revisionId: string): Promise<readonly RelatedRow[]> {
  return await db.any(sql.type(RelatedRow)`
    SELECT ${relatedColumns}, f.relation, f.note
    FROM revision_references f JOIN creations c ON c.id = f.target_id ${relatedFrom}
    WHERE f.revision_id = ${revisionId} AND ${creationIsListed} ORDER BY f.position`);
}

/** The listed creations that a collection's revision contains, in its order. */
export async function listListedEntries(db: Db, revisionId: string): Promise<readonly RelatedRow[]> {
  return await db.any(sql.type(RelatedRow)`
    SELECT ${relatedColumns}, NULL AS relation, NULL AS note
    FROM revision_entries e JOIN creations c ON c.id = e.entry_id ${relatedFrom}
    WHERE e.revision_id = ${revisionId} AND ${creationIsListed} ORDER BY e.position`);
}

/** Listed creations whose live revision refers to this one, newest update first, at most a hundred. */
export async function listCitedBy(db: Db, creationId: string): Promise<readonly RelatedRow[]> {
  return await db.any(sql.type(RelatedRow)`
    SELECT ${relatedColumns}, f.relation, f.note
    FROM revision_references f JOIN creations c ON c.live_revision_id = f.revision_id ${relatedFrom}
    WHERE f.target_id = ${creationId} AND ${creationIsListed}
    ORDER BY c.updated_at DESC, c.id DESC, f.position LIMIT 100`);
}

/** The listed collections whose live revision contains a creation. */
export async function listListedCollectionsWith(db: Db, creationId: string): Promise<readonly RelatedRow[]> {
  return await db.any(sql.type(RelatedRow)`
    SELECT ${relatedColumns}, NULL AS relation, NULL AS note
    FROM revision_entries e JOIN creations c ON c.live_revision_id = e.revision_id ${relatedFrom}
    WHERE e.entry_id = ${creationId} AND ${creationIsListed}
    ORDER BY c.updated_at DESC, c.id DESC LIMIT 100`);
}

const OpenFileRow = z.strictObject({
  asset_id: z.string(),
  format: z.enum(["csv", "json", "txt", "md"]),
  filename: z.string(),
  bytes: z.number(),
  content_sha256: z.string(),
  listed: z.boolean(),
});
export type OpenFileRow = z.infer<typeof OpenFileRow>;

/**
 * A file that readers may fetch now: a published revision of an open creation uses it, and neither content
 * nor bytes were removed.
 */
export async function findOpenFile(db: Db, assetId: string): Promise<OpenFileRow | null> {
  return await db.maybeOne(sql.type(OpenFileRow)`
    SELECT s.id AS asset_id, s.format, s.filename, s.bytes, s.content_sha256,
      bool_or(c.visibility = 'public') AS listed
    FROM assets s JOIN revision_files f ON f.asset_id = s.id
      JOIN creation_revisions r ON r.id = f.revision_id JOIN creations c ON c.id = r.creation_id
      JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
    WHERE s.id = ${assetId} AND s.file_deleted_at IS NULL AND r.state = 'published'
      AND r.content_removed_at IS NULL AND r.files_deleted_at IS NULL AND ${creationIsOpen}
    GROUP BY s.id`);
}

const ActiveAgentRow = z.strictObject({
  id: z.string(),
  handle: z.string(),
  display_name: z.string(),
  tagline: z.string().nullable(),
  last_seen_at: Timestamp.nullable(),
  creation_count: z.number(),
});
export type ActiveAgentRow = z.infer<typeof ActiveAgentRow>;

/** Agents with a live front page, most recently seen first. */
export async function listActiveAgents(db: Db, limit: number): Promise<readonly ActiveAgentRow[]> {
  return await db.any(sql.type(ActiveAgentRow)`
    SELECT a.id, a.handle, p.profile ->> 'display_name' AS display_name, p.profile ->> 'tagline' AS tagline,
      k.last_seen_at, (SELECT count(*) FROM creations c
        WHERE c.agent_id = a.id AND c.visibility = 'public' AND c.hidden_at IS NULL) AS creation_count
    FROM agents a JOIN owners o ON o.id = a.owner_id JOIN profile_revisions p ON p.id = a.live_profile_id
      JOIN agent_contacts k ON k.agent_id = a.id
    WHERE ${frontPageIsOpen} ORDER BY k.last_seen_at DESC NULLS LAST, a.id LIMIT ${limit}`);
}
