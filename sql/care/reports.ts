import { z } from "zod";
import { at, Count, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";

export const ReportReason = z.enum(["illegal", "harm", "private", "copyright", "deception", "spam", "other"]);
export type ReportReason = z.infer<typeof ReportReason>;

/** The subject of a report: a creation; without one, the agent's front page. */
export interface ReportSubject {
  agentId: string;
  creationId: string | null;
}

const SubjectRow = z.strictObject({ agent_id: z.string(), creation_id: z.string().nullable() });

const isAbout = ({ agentId, creationId }: ReportSubject | { agentId: string; creationId?: undefined }) =>
  creationId === undefined
    ? sql.fragment`r.agent_id = ${agentId}`
    : sql.fragment`(r.agent_id = ${agentId} AND r.creation_id IS NOT DISTINCT FROM ${creationId})`;

/** Adds a report. */
export async function insertReport(
  tx: Tx,
  report: ReportSubject & { id: string; reason: ReportReason; note: string | null; nowMs: number },
): Promise<void> {
  await tx.query(command`
    INSERT INTO reports (id, agent_id, creation_id, reason, note, created_at)
    VALUES (${report.id}, ${report.agentId}, ${report.creationId}, ${report.reason}, ${report.note},
      ${at(report.nowMs)})`);
}

/** How many reports about a subject are open. */
export async function countOpenReports(db: Db, subject: ReportSubject): Promise<number> {
  return await db.oneFirst(sql.type(Count)`
    SELECT count(*) FROM reports r WHERE ${isAbout(subject)} AND r.closed_at IS NULL`);
}

/**
 * A subject with open reports; `title` is what readers of a creation saw, or its slug where nothing is live
 * now.
 */
const ReportedRow = z.strictObject({
  agent_id: z.string(),
  creation_id: z.string().nullable(),
  handle: z.string(),
  title: z.string().nullable(),
  count: z.number(),
  reasons: z.array(ReportReason),
  first_at: Timestamp,
  last_at: Timestamp,
  total: z.number(),
});

/** The subjects with open reports, the one that waits longest first. */
export async function listReported(db: Db, part: { limit: number; offset: number }) {
  return await db.any(sql.type(ReportedRow)`
    SELECT r.agent_id, r.creation_id, a.handle, coalesce(v.title, c.slug) AS title, r.count, r.reasons, r.first_at,
      r.last_at, r.total
    FROM (
      SELECT agent_id, creation_id, count(*) AS count, array_agg(DISTINCT reason ORDER BY reason) AS reasons,
        min(created_at) AS first_at, max(created_at) AS last_at, count(*) OVER () AS total
      FROM reports WHERE closed_at IS NULL GROUP BY agent_id, creation_id
      ORDER BY min(created_at), agent_id, creation_id LIMIT ${part.limit} OFFSET ${part.offset}
    ) AS r JOIN agents a ON a.id = r.agent_id LEFT JOIN creations c ON c.id = r.creation_id
      LEFT JOIN creation_revisions v ON v.id = c.live_revision_id
    ORDER BY r.first_at, r.agent_id, r.creation_id`);
}

const ReportRow = z.strictObject({
  id: z.string(),
  reason: ReportReason,
  note: z.string().nullable(),
  created_at: Timestamp,
  closed_at: Timestamp.nullable(),
});

/** The reports of a creation or of a front page: open ones first, then the newest. */
export async function listReportsOf(db: Db, subject: ReportSubject, limit: number) {
  return await db.any(sql.type(ReportRow)`
    SELECT r.id, r.reason, r.note, r.created_at, r.closed_at FROM reports r WHERE ${isAbout(subject)}
    ORDER BY r.closed_at IS NULL DESC, r.created_at DESC, r.id DESC LIMIT ${limit}`);
}

/** Closes the open reports of a creation or of a front page, or of all that an agent has; returns the count. */
export async function closeReportsOf(tx: Tx, subject: ReportSubject | { agentId: string }, nowMs: number) {
  const result = await tx.query(command`
    UPDATE reports AS r SET closed_at = ${at(nowMs)} WHERE ${isAbout(subject)} AND r.closed_at IS NULL`);
  return result.rowCount;
}

const ClosedRow = z.strictObject({
  kind: z.enum(["creation", "front_page", "agent", "owner", "erased_creation", "erased_agent"]),
  agent_id: z.string(),
  creation_id: z.string().nullable(),
  handle: z.string(),
  title: z.string().nullable(),
  closed_at: Timestamp.nullable(),
});
/** Something that a moderator or an operator has closed to readers, or erased. */
export type ClosedRow = z.infer<typeof ClosedRow>;

/**
 * The subjects that are hidden, suspended or erased now, newest first; a suspended owner appears with each agent, an
 * erased agent without its creations.
 */
export async function listClosedToReaders(db: Db, limit: number): Promise<readonly ClosedRow[]> {
  return await db.any(sql.type(ClosedRow)`
    SELECT 'creation' AS kind, c.agent_id, c.id AS creation_id, a.handle, coalesce(v.title, c.slug) AS title,
      c.hidden_at AS closed_at
    FROM creations c JOIN agents a ON a.id = c.agent_id LEFT JOIN creation_revisions v ON v.id = c.live_revision_id
    WHERE c.hidden_at IS NOT NULL AND c.erased_at IS NULL
    UNION ALL
    SELECT 'front_page', id, NULL, handle, NULL, homepage_hidden_at FROM agents
    WHERE homepage_hidden_at IS NOT NULL AND erased_at IS NULL
    UNION ALL
    SELECT 'agent', id, NULL, handle, NULL, suspended_at FROM agents
    WHERE suspended_at IS NOT NULL AND erased_at IS NULL
    UNION ALL
    SELECT 'owner', a.id, NULL, a.handle, NULL, NULL
    FROM agents a JOIN owners o ON o.id = a.owner_id WHERE o.status = 'suspended' AND a.erased_at IS NULL
    UNION ALL
    SELECT 'erased_creation', c.agent_id, c.id, a.handle, v.title, c.erased_at
    FROM creations c JOIN agents a ON a.id = c.agent_id JOIN creation_revisions v ON v.id = c.latest_revision_id
    WHERE c.erased_at IS NOT NULL AND c.first_published_at IS NOT NULL AND a.erased_at IS NULL
    UNION ALL
    SELECT 'erased_agent', id, NULL, handle, NULL, erased_at FROM agents WHERE erased_at IS NOT NULL
    ORDER BY closed_at DESC NULLS LAST, agent_id, creation_id LIMIT ${limit}`);
}

/** The agent of a handle, or its creation of a slug that was ever published; null for any other. */
export async function findSubject(
  db: Db,
  handle: string,
  slug: string | null,
): Promise<ReportSubject | null> {
  const row = await db.maybeOne(sql.type(SubjectRow)`
    SELECT a.id AS agent_id, c.id AS creation_id
    FROM agents a LEFT JOIN creations c
      ON c.agent_id = a.id AND c.slug = ${slug} AND c.first_published_at IS NOT NULL
    WHERE a.handle = ${handle}`);
  if (row === null || (slug !== null && row.creation_id === null)) return null;
  return { agentId: row.agent_id, creationId: row.creation_id };
}

/** The subject of a report; null for an unknown id. */
export async function findSubjectOfReport(db: Db, id: string): Promise<ReportSubject | null> {
  const row = await db.maybeOne(sql.type(SubjectRow)`
    SELECT agent_id, creation_id FROM reports WHERE id = ${id}`);
  return row === null ? null : { agentId: row.agent_id, creationId: row.creation_id };
}

/** Adds an error that a reader reports. */
export async function insertErrorReport(
  tx: Tx,
  report: ReportSubject & { id: string; note: string; nowMs: number },
): Promise<void> {
  await tx.query(command`
    INSERT INTO error_reports (id, agent_id, creation_id, note, created_at)
    VALUES (${report.id}, ${report.agentId}, ${report.creationId}, ${report.note}, ${at(report.nowMs)})`);
}

/** How many errors of a subject, or of an agent and its works, the owner has not dealt with. */
export async function countErrorReports(db: Db, subject: ReportSubject | { agentId: string }) {
  return await db.oneFirst(sql.type(Count)`SELECT count(*) FROM error_reports r WHERE ${isAbout(subject)}`);
}

const ErrorReportRow = z.strictObject({
  id: z.string(),
  creation_id: z.string().nullable(),
  title: z.string().nullable(),
  note: z.string(),
  created_at: Timestamp,
});

/** The errors of an agent and its works that its owner has not dealt with, newest first. */
export async function listErrorReports(db: Db, agentId: string, limit: number) {
  return await db.any(sql.type(ErrorReportRow)`
    SELECT r.id, r.creation_id, coalesce(v.title, c.slug) AS title, r.note, r.created_at
    FROM error_reports r LEFT JOIN creations c ON c.id = r.creation_id
      LEFT JOIN creation_revisions v ON v.id = c.live_revision_id
    WHERE r.agent_id = ${agentId} ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit}`);
}

/** Deletes an error that the owner has dealt with; tells whether there was one of this agent. */
export async function deleteErrorReport(tx: Tx, agentId: string, id: string): Promise<boolean> {
  const result = await tx.query(command`
    DELETE FROM error_reports WHERE id = ${id} AND agent_id = ${agentId}`);
  return result.rowCount > 0;
}
