import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";
import { insertEndedSchedules } from "../trust/event-outbox.ts";

export const ScheduleRow = z.strictObject({
  id: z.string(),
  creation_id: z.string(),
  revision_id: z.string(),
  status: z.enum(["pending", "published", "cancelled", "failed"]),
  publish_at: Timestamp,
  visibility: z.enum(["public", "unlisted"]).nullable(),
  outcome_code: z.string().nullable(),
  outcome_detail: z.string().nullable(),
  completed_at: Timestamp.nullable(),
  created_at: Timestamp,
});
export type ScheduleRow = z.infer<typeof ScheduleRow>;

const columns = sql.fragment`
  id, creation_id, revision_id, status, publish_at, visibility, outcome_code, outcome_detail, completed_at,
  created_at`;

/** The newest schedule of a creation. */
export async function findLatestSchedule(db: Db, creationId: string): Promise<ScheduleRow | null> {
  return await db.maybeOne(sql.type(ScheduleRow)`
    SELECT ${columns} FROM schedules WHERE creation_id = ${creationId}
    ORDER BY created_at DESC, id DESC LIMIT 1`);
}

const CancelledRow = ScheduleRow.pick({ publish_at: true });

/** Cancels the pending schedule, if any, with a reason that its agent reads; tells when it would have published. */
export async function cancelPendingSchedule(tx: Tx, creationId: string, detail: string, nowMs: number) {
  return await tx.maybeOneFirst(sql.type(CancelledRow)`
    WITH ended AS (
      UPDATE schedules SET status = 'cancelled', outcome_detail = ${detail}, completed_at = ${at(nowMs)}
      WHERE creation_id = ${creationId} AND status = 'pending'
      RETURNING id, creation_id, status, outcome_code, publish_at
    ), told AS (${insertEndedSchedules(nowMs)})
    SELECT publish_at FROM ended`);
}

/**
 * Names a restore as what cancelled schedules, and tells their agents; returns how many. The restore's own transaction
 * cannot, as a backup of a version before has no place for the code.
 */
export async function nameRestoredSchedules(db: Db, restoredMs: number): Promise<number> {
  const { rowCount } = await db.query(command`
    WITH ended AS (
      UPDATE schedules SET outcome_code = 'restored'
      WHERE status = 'cancelled' AND completed_at = ${at(restoredMs)} RETURNING id, creation_id, status, outcome_code
    ) ${insertEndedSchedules(restoredMs)}`);
  return rowCount;
}

/** Adds a pending schedule. */
export async function insertSchedule(
  tx: Tx,
  row: Pick<ScheduleRow, "id" | "creation_id" | "revision_id" | "publish_at" | "visibility" | "created_at">,
): Promise<void> {
  await tx.query(command`
    INSERT INTO schedules (id, creation_id, revision_id, status, publish_at, visibility, created_at)
    VALUES (${row.id}, ${row.creation_id}, ${row.revision_id}, 'pending', ${at(row.publish_at)}, ${row.visibility},
      ${at(row.created_at)})`);
}

const DueRow = z.strictObject({
  id: z.string(),
  creation_id: z.string(),
  agent_id: z.string(),
  publish_at: Timestamp,
});

/** Pending schedules that are due, the longest due first. */
export async function listDueSchedules(db: Db, nowMs: number): Promise<readonly z.infer<typeof DueRow>[]> {
  return await db.any(sql.type(DueRow)`
    SELECT s.id, s.creation_id, c.agent_id, s.publish_at FROM schedules s JOIN creations c ON c.id = s.creation_id
    WHERE s.status = 'pending' AND s.publish_at <= ${at(nowMs)} ORDER BY s.publish_at, s.id LIMIT 200`);
}

/** Locks a schedule until the transaction ends, always after its agent's and creation's rows. */
export async function lockSchedule(tx: Tx, id: string): Promise<ScheduleRow | null> {
  return await tx.maybeOne(
    sql.type(ScheduleRow)`SELECT ${columns} FROM schedules WHERE id = ${id} FOR UPDATE`,
  );
}

/** Ends a pending schedule with its outcome. */
export async function finishSchedule(
  tx: Tx,
  id: string,
  outcome: { status: "published" | "failed"; code: string | null; detail: string | null; nowMs: number },
): Promise<void> {
  await tx.query(command`
    WITH ended AS (
      UPDATE schedules SET status = ${outcome.status}, outcome_code = ${outcome.code},
        outcome_detail = ${outcome.detail}, completed_at = ${at(outcome.nowMs)}
      WHERE id = ${id} AND status = 'pending' RETURNING id, creation_id, status, outcome_code
    ) ${insertEndedSchedules(outcome.nowMs)}`);
}

/** Whether a creation has a pending schedule. */
export async function hasPendingSchedule(tx: Tx, creationId: string): Promise<boolean> {
  return await tx.exists(sql.type(z.unknown())`
    SELECT 1 FROM schedules WHERE creation_id = ${creationId} AND status = 'pending'`);
}

/** The due time of the longest due schedule; null where none is due. */
export async function findLongestDue(db: Db, nowMs: number): Promise<number | null> {
  return await db.oneFirst(sql.type(z.strictObject({ due: Timestamp.nullable() }))`
    SELECT min(publish_at) AS due FROM schedules WHERE status = 'pending' AND publish_at <= ${at(nowMs)}`);
}

/** Every schedule that a creation ever had, oldest first. */
export async function listSchedulesOf(db: Db, creationId: string): Promise<readonly ScheduleRow[]> {
  return await db.any(sql.type(ScheduleRow)`
    SELECT ${columns} FROM schedules WHERE creation_id = ${creationId} ORDER BY created_at, id`);
}
