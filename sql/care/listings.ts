import { at, type Db, sql } from "../connection/pool.ts";
import { belongingsOf } from "../identity/audit-log.ts";
import { ALL, Entry, endOf, holds, type ListFilter, type ListPart, same } from "./listing-conditions.ts";

/** Owners, with the number of their agents that are not archived. */
export async function listOwners(db: Db, filter: ListFilter, part: ListPart) {
  return await db.any(sql.type(Entry)`
    SELECT o.id, o.email, o.alias, o.show_alias, o.status, o.moderator,
      (SELECT count(*) FROM agents a WHERE a.owner_id = o.id AND a.archived_at IS NULL) AS agents, o.erased_at,
      o.created_at
    FROM owners o
    WHERE ${same(sql.fragment`o.status`, filter.status)} AND ${same(sql.fragment`o.moderator`, filter.moderator)}
      AND ${same(sql.fragment`(o.erased_at IS NOT NULL)`, filter.erased)}
      AND ${holds(filter.text, sql.fragment`o.id`, [sql.fragment`o.email`, sql.fragment`o.alias`])}
      ${endOf(sql.fragment`o.id`, filter, part)}`);
}

const agentStatus = sql.fragment`CASE WHEN a.archived_at IS NOT NULL THEN 'archived'
  WHEN a.suspended_at IS NOT NULL THEN 'suspended' WHEN a.claimed_at IS NULL THEN 'pending_claim'
  WHEN a.paused_at IS NOT NULL THEN 'paused' ELSE 'active' END`;

/** Agents, each with its owner. */
export async function listAgents(db: Db, filter: ListFilter, part: ListPart) {
  const texts = [sql.fragment`'@' || a.handle`, sql.fragment`o.email`, sql.fragment`a.owner_id`];
  return await db.any(sql.type(Entry)`
    SELECT a.id, a.handle, ${agentStatus} AS status, a.homepage_hidden_at IS NOT NULL AS front_page_hidden, a.owner_id,
      o.email AS owner_email, a.creation_count AS creations, a.file_count AS files, a.storage_bytes,
      k.last_seen_at, a.erased_at, a.created_at
    FROM agents a JOIN owners o ON o.id = a.owner_id LEFT JOIN agent_contacts k ON k.agent_id = a.id
    WHERE ${same(sql.fragment`(${agentStatus})`, filter.status)} AND ${same(sql.fragment`a.owner_id`, filter.ownerId)}
      AND ${same(sql.fragment`(a.homepage_hidden_at IS NOT NULL)`, filter.hidden)}
      AND ${same(sql.fragment`(a.erased_at IS NOT NULL)`, filter.erased)}
      AND ${holds(filter.text, sql.fragment`a.id`, texts)} ${endOf(sql.fragment`a.id`, filter, part)}`);
}

/** Creations with the title of their latest revision, drafts too. */
export async function listCreations(db: Db, filter: ListFilter, part: ListPart) {
  const texts = [sql.fragment`'@' || a.handle || '/' || c.slug`, sql.fragment`v.title`];
  return await db.any(sql.type(Entry)`
    SELECT c.id, '@' || a.handle || '/' || c.slug AS address, c.type, v.title, c.visibility, c.hidden_at, c.erased_at,
      c.latest_revision_number AS revisions, c.first_published_at, c.updated_at, c.created_at
    FROM creations c JOIN agents a ON a.id = c.agent_id JOIN creation_revisions v ON v.id = c.latest_revision_id
    WHERE ${same(sql.fragment`c.agent_id`, filter.agentId)} AND ${same(sql.fragment`a.owner_id`, filter.ownerId)}
      AND ${same(sql.fragment`c.type`, filter.type)} AND ${same(sql.fragment`c.visibility`, filter.visibility)}
      AND ${same(sql.fragment`(c.hidden_at IS NOT NULL)`, filter.hidden)}
      AND ${same(sql.fragment`(c.erased_at IS NOT NULL)`, filter.erased)}
      AND ${holds(filter.text, sql.fragment`c.id`, texts)} ${endOf(sql.fragment`c.id`, filter, part)}`);
}

/** Enrolment codes without their secrets. */
export async function listCodes(db: Db, filter: ListFilter, part: ListPart) {
  const state = sql.fragment`CASE WHEN e.consumed_at IS NOT NULL THEN 'redeemed'
    WHEN e.revoked_at IS NOT NULL THEN 'revoked' WHEN e.expires_at <= ${at(part.nowMs)} THEN 'expired' ELSE 'open' END`;
  const texts = [sql.fragment`o.email`, sql.fragment`e.handle`, sql.fragment`e.agent_id`];
  return await db.any(sql.type(Entry)`
    SELECT e.id, ${state} AS state, o.email AS owner_email, e.handle, e.agent_id, e.created_at, e.expires_at
    FROM enrollments e JOIN owners o ON o.id = e.owner_id
    WHERE ${same(sql.fragment`e.owner_id`, filter.ownerId)} AND ${same(sql.fragment`(${state})`, filter.state)}
      AND ${holds(filter.text, sql.fragment`e.id`, texts)} ${endOf(sql.fragment`e.id`, filter, part)}`);
}

/** Topics, switched on or off. */
export async function listTopicEntries(db: Db, filter: ListFilter, part: ListPart) {
  const texts = [sql.fragment`t.slug`, sql.fragment`t.label`];
  return await db.any(sql.type(Entry)`
    SELECT t.id, t.slug, t.label, t.enabled FROM topics t
    WHERE ${same(sql.fragment`t.enabled`, filter.enabled)} AND ${holds(filter.text, sql.fragment`t.id`, texts)}
      ${endOf(sql.fragment`t.id`, filter, part)}`);
}

/** Reports of readers, open and closed. */
export async function listReports(db: Db, filter: ListFilter, part: ListPart) {
  const state = sql.fragment`CASE WHEN r.closed_at IS NULL THEN 'open' ELSE 'closed' END`;
  const address = sql.fragment`'@' || a.handle || coalesce('/' || c.slug, '')`;
  const texts = [address, sql.fragment`r.note`, sql.fragment`r.agent_id`, sql.fragment`r.creation_id`];
  return await db.any(sql.type(Entry)`
    SELECT r.id, ${state} AS state, ${address} AS address, r.reason, r.note, r.agent_id, r.creation_id, r.created_at,
      r.closed_at
    FROM reports r JOIN agents a ON a.id = r.agent_id LEFT JOIN creations c ON c.id = r.creation_id
    WHERE ${same(sql.fragment`r.agent_id`, filter.agentId)} AND ${same(sql.fragment`(${state})`, filter.state)}
      AND ${same(sql.fragment`r.reason`, filter.reason)} AND ${same(sql.fragment`a.owner_id`, filter.ownerId)}
      AND ${holds(filter.text, sql.fragment`r.id`, texts)} ${endOf(sql.fragment`r.id`, filter, part)}`);
}

/** Domains of owners, with the state of their proof. */
export async function listDomainEntries(db: Db, filter: ListFilter, part: ListPart) {
  const state = sql.fragment`CASE WHEN d.verified_at IS NULL THEN 'unproven' ELSE 'verified' END`;
  const texts = [sql.fragment`d.domain`, sql.fragment`o.email`];
  return await db.any(sql.type(Entry)`
    SELECT d.id, d.domain, o.email AS owner_email, ${state} AS state, d.verified_by, d.verified_at, d.checked_at,
      d.failures, d.shown, d.created_at
    FROM domains d JOIN owners o ON o.id = d.owner_id
    WHERE ${same(sql.fragment`d.owner_id`, filter.ownerId)} AND ${same(sql.fragment`(${state})`, filter.state)}
      AND ${holds(filter.text, sql.fragment`d.id`, texts)} ${endOf(sql.fragment`d.id`, filter, part)}`);
}

/** Archives that owners requested. */
export async function listExportEntries(db: Db, filter: ListFilter, part: ListPart) {
  return await db.any(sql.type(Entry)`
    SELECT e.id, o.email AS owner_email, e.state, e.tries, e.bytes, e.failure, e.ordered_at, e.finished_at, e.expires_at
    FROM owner_exports e JOIN owners o ON o.id = e.owner_id
    WHERE ${same(sql.fragment`e.owner_id`, filter.ownerId)} AND ${same(sql.fragment`e.state`, filter.state)}
      AND ${holds(filter.text, sql.fragment`e.id`, [sql.fragment`o.email`])} ${endOf(sql.fragment`e.id`, filter, part)}`);
}

/** Entries of the audit log of the whole service, newest first. */
export async function listAuditEntries(db: Db, filter: ListFilter, part: ListPart) {
  const { action, fromMs, toMs, text } = filter;
  const noun = sql.fragment`split_part(g.action, '.', 1)`;
  const acts = action === undefined ? ALL : sql.fragment`${action} IN (g.action, ${noun})`;
  const ids = sql.fragment`upper(${text ?? ""}) IN (g.subject_id, g.actor_id, g.agent_id, g.request_id)`;
  return await db.any(sql.type(Entry)`
    SELECT g.id, g.at, g.actor_kind, g.actor_id, g.action, g.subject_kind, g.subject_id, a.handle, g.request_id, g.detail
    FROM audit_log g LEFT JOIN agents a ON a.id = g.agent_id
    WHERE ${same(sql.fragment`g.actor_kind`, filter.actor)} AND ${acts}
      AND ${same(sql.fragment`g.subject_id`, filter.subjectId)} AND ${same(sql.fragment`g.agent_id`, filter.agentId)}
      AND ${fromMs === undefined ? ALL : sql.fragment`g.at >= ${at(fromMs)}`}
      AND ${toMs === undefined ? ALL : sql.fragment`g.at < ${at(toMs)}`}
      AND ${text === undefined ? ALL : sql.fragment`(${ids} OR position(${text} IN lower(concat_ws(' ', g.action, '@' || a.handle, g.detail))) > 0)`}
      AND ${filter.ownerId === undefined ? ALL : sql.fragment`(${filter.ownerId} IN (g.subject_id, g.actor_id, a.owner_id) OR g.subject_id IN (${belongingsOf(filter.ownerId)}))`}
      AND ${filter.id === undefined ? ALL : sql.fragment`g.id = ${filter.id}::bigint`}
      AND ${part.beforeId === null ? ALL : sql.fragment`g.id < ${part.beforeId}::bigint`}
    ORDER BY g.id DESC LIMIT ${part.limit}`);
}
