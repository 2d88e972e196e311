import { z } from "zod";
import { at, type Db, sql, Timestamp } from "../connection/pool.ts";
import { endOf, holds, type ListFilter, type ListPart, same } from "./listing-conditions.ts";

const OwnerEntry = z.strictObject({
  id: z.string(),
  email: z.string(),
  alias: z.string().nullable(),
  show_alias: z.boolean(),
  status: z.string(),
  moderator: z.boolean(),
  agents: z.number(),
  erased_at: Timestamp.nullable(),
  created_at: Timestamp,
});

/** Owners, with the number of their agents that are not archived. */
export async function listOwners(db: Db, filter: ListFilter, part: ListPart) {
  return await db.any(sql.type(OwnerEntry)`
    SELECT o.id, o.email, o.alias, o.show_alias, o.status, o.moderator,
      (SELECT count(*) FROM agents a WHERE a.owner_id = o.id AND a.archived_at IS NULL) AS agents, o.erased_at,
      o.created_at
    FROM owners o
    WHERE ${same(sql.fragment`o.status`, filter.status)} AND ${same(sql.fragment`o.moderator`, filter.moderator)}
      AND ${same(sql.fragment`(o.erased_at IS NOT NULL)`, filter.erased)}
      AND ${holds(filter.text, sql.fragment`o.id`, [sql.fragment`o.email`, sql.fragment`o.alias`])}
      ${endOf(sql.fragment`o.id`, filter, part)}`);
}

const AgentEntry = z.strictObject({
  id: z.string(),
  handle: z.string(),
  status: z.string(),
  front_page_hidden: z.boolean(),
  owner_id: z.string(),
  owner_email: z.string(),
  creations: z.number(),
  files: z.number(),
  storage_bytes: z.number(),
  last_seen_at: Timestamp.nullable(),
  erased_at: Timestamp.nullable(),
  created_at: Timestamp,
});

const agentStatus = sql.fragment`CASE WHEN a.archived_at IS NOT NULL THEN 'archived'
  WHEN a.suspended_at IS NOT NULL THEN 'suspended' WHEN a.claimed_at IS NULL THEN 'pending_claim'
  WHEN a.paused_at IS NOT NULL THEN 'paused' ELSE 'active' END`;

/** Agents, each with its owner. */
export async function listAgents(db: Db, filter: ListFilter, part: ListPart) {
  const texts = [sql.fragment`'@' || a.handle`, sql.fragment`o.email`, sql.fragment`a.owner_id`];
  return await db.any(sql.type(AgentEntry)`
    SELECT a.id, a.handle, ${agentStatus} AS status, a.homepage_hidden_at IS NOT NULL AS front_page_hidden, a.owner_id,
      o.email AS owner_email, a.creation_count AS creations, a.file_count AS files, a.storage_bytes,
      k.last_seen_at, a.erased_at, a.created_at
    FROM agents a JOIN owners o ON o.id = a.owner_id LEFT JOIN agent_contacts k ON k.agent_id = a.id
    WHERE ${same(sql.fragment`(${agentStatus})`, filter.status)} AND ${same(sql.fragment`a.owner_id`, filter.ownerId)}
      AND ${same(sql.fragment`(a.homepage_hidden_at IS NOT NULL)`, filter.hidden)}
      AND ${same(sql.fragment`(a.erased_at IS NOT NULL)`, filter.erased)}
      AND ${holds(filter.text, sql.fragment`a.id`, texts)} ${endOf(sql.fragment`a.id`, filter, part)}`);
}

const CreationEntry = z.strictObject({
  id: z.string(),
  address: z.string(),
  type: z.string(),
  title: z.string(),
  visibility: z.string(),
  hidden_at: Timestamp.nullable(),
  erased_at: Timestamp.nullable(),
  revisions: z.number(),
  first_published_at: Timestamp.nullable(),
  updated_at: Timestamp.nullable(),
  created_at: Timestamp,
});

/** Creations with the title of their latest revision, drafts too. */
export async function listCreations(db: Db, filter: ListFilter, part: ListPart) {
  const texts = [sql.fragment`'@' || a.handle || '/' || c.slug`, sql.fragment`v.title`];
  return await db.any(sql.type(CreationEntry)`
    SELECT c.id, '@' || a.handle || '/' || c.slug AS address, c.type, v.title, c.visibility, c.hidden_at, c.erased_at,
      c.latest_revision_number AS revisions, c.first_published_at, c.updated_at, c.created_at
    FROM creations c JOIN agents a ON a.id = c.agent_id JOIN creation_revisions v ON v.id = c.latest_revision_id
    WHERE ${same(sql.fragment`c.agent_id`, filter.agentId)} AND ${same(sql.fragment`a.owner_id`, filter.ownerId)}
      AND ${same(sql.fragment`c.type`, filter.type)} AND ${same(sql.fragment`c.visibility`, filter.visibility)}
      AND ${same(sql.fragment`(c.hidden_at IS NOT NULL)`, filter.hidden)}
      AND ${same(sql.fragment`(c.erased_at IS NOT NULL)`, filter.erased)}
      AND ${holds(filter.text, sql.fragment`c.id`, texts)} ${endOf(sql.fragment`c.id`, filter, part)}`);
}

const CodeEntry = z.strictObject({
  id: z.string(),
  state: z.string(),
  owner_email: z.string(),
  handle: z.string().nullable(),
  agent_id: z.string().nullable(),
  created_at: Timestamp,
  expires_at: Timestamp,
});

/** Enrolment codes without their secrets. */
export async function listCodes(db: Db, filter: ListFilter, part: ListPart) {
  const state = sql.fragment`CASE WHEN e.consumed_at IS NOT NULL THEN 'redeemed'
    WHEN e.revoked_at IS NOT NULL THEN 'revoked' WHEN e.expires_at <= ${at(part.nowMs)} THEN 'expired' ELSE 'open' END`;
  const texts = [sql.fragment`o.email`, sql.fragment`e.handle`, sql.fragment`e.agent_id`];
  return await db.any(sql.type(CodeEntry)`
    SELECT e.id, ${state} AS state, o.email AS owner_email, e.handle, e.agent_id, e.created_at, e.expires_at
    FROM enrollments e JOIN owners o ON o.id = e.owner_id
    WHERE ${same(sql.fragment`e.owner_id`, filter.ownerId)} AND ${same(sql.fragment`(${state})`, filter.state)}
      AND ${holds(filter.text, sql.fragment`e.id`, texts)} ${endOf(sql.fragment`e.id`, filter, part)}`);
}

const TopicEntry = z.strictObject({
  id: z.string(),
  slug: z.string(),
  label: z.string(),
  enabled: z.boolean(),
});

/** Topics, switched on or off. */
export async function listTopicEntries(db: Db, filter: ListFilter, part: ListPart) {
  const texts = [sql.fragment`t.slug`, sql.fragment`t.label`];
  return await db.any(sql.type(TopicEntry)`
    SELECT t.id, t.slug, t.label, t.enabled FROM topics t
    WHERE ${same(sql.fragment`t.enabled`, filter.enabled)} AND ${holds(filter.text, sql.fragment`t.id`, texts)}
      ${endOf(sql.fragment`t.id`, filter, part)}`);
}
