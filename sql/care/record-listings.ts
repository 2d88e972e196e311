import { z } from "zod";
import { at, type Db, sql, Timestamp } from "../connection/pool.ts";
import { ALL, endOf, holds, type ListFilter, type ListPart, same } from "./listing-conditions.ts";

const ReportEntry = z.strictObject({
  id: z.string(),
  state: z.string(),
  address: z.string(),
  reason: z.string(),
  note: z.string().nullable(),
  agent_id: z.string(),
  creation_id: z.string().nullable(),
  created_at: Timestamp,
  closed_at: Timestamp.nullable(),
});

/** Reports of readers, open and closed. */
export async function listReports(db: Db, filter: ListFilter, part: ListPart) {
  const state = sql.fragment`CASE WHEN r.closed_at IS NULL THEN 'open' ELSE 'closed' END`;
  const address = sql.fragment`'@' || a.handle || coalesce('/' || c.slug, '')`;
  const texts = [address, sql.fragment`r.note`, sql.fragment`r.agent_id`, sql.fragment`r.creation_id`];
  return await db.any(sql.type(ReportEntry)`
    SELECT r.id, ${state} AS state, ${address} AS address, r.reason, r.note, r.agent_id, r.creation_id, r.created_at,
      r.closed_at
    FROM reports r JOIN agents a ON a.id = r.agent_id LEFT JOIN creations c ON c.id = r.creation_id
    WHERE ${same(sql.fragment`r.agent_id`, filter.agentId)} AND ${same(sql.fragment`(${state})`, filter.state)}
      AND ${same(sql.fragment`r.reason`, filter.reason)} AND ${same(sql.fragment`a.owner_id`, filter.ownerId)}
      AND ${holds(filter.text, sql.fragment`r.id`, texts)} ${endOf(sql.fragment`r.id`, filter, part)}`);
}

const DomainEntry = z.strictObject({
  id: z.string(),
  domain: z.string(),
  owner_email: z.string(),
  state: z.string(),
  verified_by: z.string().nullable(),
  verified_at: Timestamp.nullable(),
  checked_at: Timestamp.nullable(),
  failures: z.number(),
  shown: z.boolean(),
  created_at: Timestamp,
});

/** Domains of owners, with the state of their proof. */
export async function listDomainEntries(db: Db, filter: ListFilter, part: ListPart) {
  const state = sql.fragment`CASE WHEN d.verified_at IS NULL THEN 'unproven' ELSE 'verified' END`;
  const texts = [sql.fragment`d.domain`, sql.fragment`o.email`];
  return await db.any(sql.type(DomainEntry)`
    SELECT d.id, d.domain, o.email AS owner_email, ${state} AS state, d.verified_by, d.verified_at, d.checked_at,
      d.failures, d.shown, d.created_at
    FROM domains d JOIN owners o ON o.id = d.owner_id
    WHERE ${same(sql.fragment`d.owner_id`, filter.ownerId)} AND ${same(sql.fragment`(${state})`, filter.state)}
      AND ${holds(filter.text, sql.fragment`d.id`, texts)} ${endOf(sql.fragment`d.id`, filter, part)}`);
}

const ExportEntry = z.strictObject({
  id: z.string(),
  owner_email: z.string(),
  state: z.string(),
  tries: z.number(),
  bytes: z.number().nullable(),
  failure: z.string().nullable(),
  ordered_at: Timestamp,
  finished_at: Timestamp.nullable(),
  expires_at: Timestamp.nullable(),
});

/** Archives that owners requested. */
export async function listExportEntries(db: Db, filter: ListFilter, part: ListPart) {
  return await db.any(sql.type(ExportEntry)`
    SELECT e.id, o.email AS owner_email, e.state, e.tries, e.bytes, e.failure, e.ordered_at, e.finished_at, e.expires_at
    FROM owner_exports e JOIN owners o ON o.id = e.owner_id
    WHERE ${same(sql.fragment`e.owner_id`, filter.ownerId)} AND ${same(sql.fragment`e.state`, filter.state)}
      AND ${holds(filter.text, sql.fragment`e.id`, [sql.fragment`o.email`])} ${endOf(sql.fragment`e.id`, filter, part)}`);
}

const AuditEntry = z.strictObject({
  id: z.number(),
  at: Timestamp,
  actor_kind: z.string(),
  actor_id: z.string().nullable(),
  action: z.string(),
  subject_kind: z.string(),
  subject_id: z.string(),
  handle: z.string().nullable(),
  request_id: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
});

/** Entries of the audit log of the whole service, newest first. */
export async function listAuditEntries(db: Db, filter: ListFilter, part: ListPart) {
  const { action, fromMs, toMs, text } = filter;
  const noun = sql.fragment`split_part(g.action, '.', 1)`;
  const acts = action === undefined ? ALL : sql.fragment`${action} IN (g.action, ${noun})`;
  const ids = sql.fragment`upper(${text ?? ""}) IN (g.subject_id, g.actor_id, g.agent_id, g.request_id)`;
  return await db.any(sql.type(AuditEntry)`
    SELECT g.id, g.at, g.actor_kind, g.actor_id, g.action, g.subject_kind, g.subject_id, a.handle, g.request_id, g.detail
    FROM audit_log g LEFT JOIN agents a ON a.id = g.agent_id
    WHERE ${same(sql.fragment`g.actor_kind`, filter.actor)} AND ${acts}
      AND ${same(sql.fragment`g.subject_id`, filter.subjectId)} AND ${same(sql.fragment`g.agent_id`, filter.agentId)}
      AND ${fromMs === undefined ? ALL : sql.fragment`g.at >= ${at(fromMs)}`}
      AND ${toMs === undefined ? ALL : sql.fragment`g.at < ${at(toMs)}`}
      AND ${text === undefined ? ALL : sql.fragment`(${ids} OR position(${text} IN lower(concat_ws(' ', g.action, '@' || a.handle, g.detail))) > 0)`}
      AND ${filter.ownerId === undefined ? ALL : sql.fragment`(${filter.ownerId} IN (g.subject_id, g.actor_id, a.owner_id))`}
      AND ${filter.id === undefined ? ALL : sql.fragment`g.id = ${filter.id}::bigint`}
      AND ${part.beforeId === null ? ALL : sql.fragment`g.id < ${part.beforeId}::bigint`}
    ORDER BY g.id DESC LIMIT ${part.limit}`);
}
