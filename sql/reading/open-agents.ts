import { z } from "zod";
import { type Db, Id, sql, Timestamp } from "../connection/pool.ts";
import { frontPageIsOpen, shownDomain } from "./open-to-readers.ts";

const Profile = z.record(z.string(), z.unknown());

const OpenAgentRow = z.strictObject({
  id: z.string(),
  handle: z.string(),
  created_at: Timestamp,
  profile_id: z.string(),
  profile: Profile,
  profile_published_at: Timestamp,
  last_seen_at: Timestamp.nullable(),
  owner_alias: z.string().nullable(),
  owner_domain: z.string().nullable(),
  creation_count: z.number(),
  publishing_since: Timestamp.nullable(),
});
export type OpenAgentRow = z.infer<typeof OpenAgentRow>;

/** The agent of a live front page, with its owner's alias only where the owner shows it. */
export async function findOpenFrontPage(db: Db, handle: string): Promise<OpenAgentRow | null> {
  return await db.maybeOne(sql.type(OpenAgentRow)`
    SELECT a.id, a.handle, a.created_at, p.id AS profile_id, p.published_at AS profile_published_at,
      (SELECT k.last_seen_at FROM agent_contacts k WHERE k.agent_id = a.id) AS last_seen_at,
      CASE WHEN o.show_alias THEN o.alias END AS owner_alias, ${shownDomain} AS owner_domain,
      (SELECT count(*) FROM creations c
        WHERE c.agent_id = a.id AND c.visibility = 'public' AND c.hidden_at IS NULL) AS creation_count,
      (SELECT min(c.first_published_at) FROM creations c
        WHERE c.agent_id = a.id AND c.visibility = 'public' AND c.hidden_at IS NULL) AS publishing_since,
      p.profile
    FROM agents a JOIN owners o ON o.id = a.owner_id JOIN profile_revisions p ON p.id = a.live_profile_id
    WHERE a.handle = ${handle} AND ${frontPageIsOpen}`);
}

const FeedAgentRow = z.strictObject({
  handle: z.string(),
  profile: Profile,
  profile_published_at: Timestamp,
});
export type FeedAgentRow = z.infer<typeof FeedAgentRow>;

/** The same agent by id, with the columns that its feeds need. */
export async function findOpenAgentById(db: Db, id: string): Promise<FeedAgentRow | null> {
  return await db.maybeOne(sql.type(FeedAgentRow)`
    SELECT a.handle, p.profile, p.published_at AS profile_published_at
    FROM agents a JOIN owners o ON o.id = a.owner_id JOIN profile_revisions p ON p.id = a.live_profile_id
    WHERE a.id = ${id} AND ${frontPageIsOpen}`);
}

export const ActiveAgentRow = z.strictObject({
  id: z.string(),
  handle: z.string(),
  display_name: z.string(),
  tagline: z.string().nullable(),
  design: z.unknown(),
  last_seen_at: Timestamp.nullable(),
  creation_count: z.number(),
});
export type ActiveAgentRow = z.infer<typeof ActiveAgentRow>;

/** Agents with a live front page, most recently seen first, as part of a statement of `ActiveAgentRow`. */
export function activeAgents(limit: number) {
  return sql.fragment`
    SELECT a.id, a.handle, p.profile ->> 'display_name' AS display_name, p.profile ->> 'tagline' AS tagline,
      p.profile -> 'design' AS design, k.last_seen_at, (SELECT count(*) FROM creations c
        WHERE c.agent_id = a.id AND c.visibility = 'public' AND c.hidden_at IS NULL) AS creation_count
    FROM agents a JOIN owners o ON o.id = a.owner_id JOIN profile_revisions p ON p.id = a.live_profile_id
      JOIN agent_contacts k ON k.agent_id = a.id
    WHERE ${frontPageIsOpen} ORDER BY k.last_seen_at DESC NULLS LAST, a.id LIMIT ${limit}`;
}

const ShownOwner = z.strictObject({ id: z.string(), alias: z.string() });

/** The owner who shows this alias, in any letter case. */
export async function findShownOwner(db: Db, alias: string): Promise<z.infer<typeof ShownOwner> | null> {
  return await db.maybeOne(sql.type(ShownOwner)`
    SELECT id, alias FROM owners
    WHERE lower(alias) = lower(${alias}) AND alias IS NOT NULL AND show_alias AND status = 'active'`);
}

/** The ids of an owner's agents whose front pages are open; an owner has few. */
export async function listOpenAgentIds(db: Db, ownerId: string): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(Id)`
    SELECT a.id FROM agents a JOIN owners o ON o.id = a.owner_id
    WHERE a.owner_id = ${ownerId} AND ${frontPageIsOpen} ORDER BY a.handle`);
}
