import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";
import type { ReportSubject } from "./reports.ts";

const Count = z.strictObject({ count: z.number() });

/** Adds an error that a reader reports. */
export async function insertErrorReport(
  tx: Tx,
  report: ReportSubject & { id: string; note: string; nowMs: number },
): Promise<void> {
  await tx.query(command`
    INSERT INTO error_reports (id, agent_id, creation_id, note, created_at)
    VALUES (${report.id}, ${report.agentId}, ${report.creationId}, ${report.note}, ${at(report.nowMs)})`);
}

/** How many errors of a subject its owner has not dealt with. */
export async function countErrorReports(db: Db, { agentId, creationId }: ReportSubject): Promise<number> {
  return await db.oneFirst(sql.type(Count)`
    SELECT count(*) FROM error_reports r
    WHERE r.agent_id = ${agentId} AND r.creation_id IS NOT DISTINCT FROM ${creationId}`);
}

/** How many errors of an agent and its works its owner has not dealt with. */
export async function countErrorReportsOfAgent(db: Db, agentId: string): Promise<number> {
  return await db.oneFirst(sql.type(Count)`SELECT count(*) FROM error_reports WHERE agent_id = ${agentId}`);
}

const ErrorReportRow = z.strictObject({
  id: z.string(),
  creation_id: z.string().nullable(),
  title: z.string().nullable(),
  note: z.string(),
  created_at: Timestamp,
});
export type ErrorReportRow = z.infer<typeof ErrorReportRow>;

/** The errors of an agent and its works that its owner has not dealt with, newest first. */
export async function listErrorReports(
  db: Db,
  agentId: string,
  limit: number,
): Promise<readonly ErrorReportRow[]> {
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
