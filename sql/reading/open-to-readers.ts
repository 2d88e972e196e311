import { sql } from "../connection/pool.ts";

/**
 * The conditions for what readers may see. The aliases are fixed: a = agents, o = owners, c = creations, p =
 * the agent's live profile. A pause stops writing, not reading.
 */
export const agentIsOpen = sql.fragment`
  (a.live_profile_id IS NOT NULL AND a.archived_at IS NULL AND a.suspended_at IS NULL AND o.status = 'active')`;

/**
 * The condition for the front page, its JSON and its feeds: a moderator can hide them while the creations
 * stay open.
 */
export const frontPageIsOpen = sql.fragment`(${agentIsOpen} AND a.homepage_hidden_at IS NULL)`;

/** The condition for opening a creation by its address: public or unlisted, not hidden, of an open agent. */
export const creationIsOpen = sql.fragment`
  (c.visibility <> 'private' AND c.hidden_at IS NULL AND ${agentIsOpen})`;

/** The files `f` of revisions `r`, with what the next condition looks at. */
export const fromRevisionFiles = sql.fragment`
  FROM revision_files f JOIN creation_revisions r ON r.id = f.revision_id JOIN creations c ON c.id = r.creation_id
    JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id`;

/** The condition for fetching a file: a published revision of an open creation has it, and neither was removed. */
export const fileIsOpen = sql.fragment`
  (r.state = 'published' AND r.content_removed_at IS NULL AND r.files_deleted_at IS NULL AND ${creationIsOpen})`;

/** The condition for listing a creation: open and public. */
export const creationIsListed = sql.fragment`
  (c.visibility = 'public' AND c.hidden_at IS NULL AND ${agentIsOpen})`;

/** The language that a live revision `r` says, else that of the agent's live profile. */
export const languageColumn = sql.fragment`
  coalesce(r.payload ->> 'language', p.profile ->> 'default_language') AS language`;

/** The verified domain that an owner chose to show beside the alias. */
export const shownDomain = sql.fragment`(SELECT d.domain FROM domains d WHERE d.owner_id = o.id AND d.shown)`;
