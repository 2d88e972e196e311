import { z } from "zod";
import { at, command, type Db, Moment, sql, type Tx } from "./pool.ts";

export const ScheduleRow = z.strictObject({
  id: z.string(),
  creation_id: z.string(),
  revision_id: z.string(),
  status: z.enum(["pending", "published", "cancelled", "failed"]),
  publish_at: Moment,
  visibility: z.enum(["public", "unlisted"]).nullable(),
  outcome_code: z.string().nullable(),
  outcome_detail: z.string().nullable(),
  completed_at: Moment.nullable(),
  created_at: Moment,
});
export type ScheduleRow = z.infer<typeof ScheduleRow>;

const columns = sql.fragment`
  id, creation_id, revision_id, status, publish_at, visibility, outcome_code, outcome_detail, completed_at,
  created_at`;

export async function findLatestSchedule(db: Db, creationId: string): Promise<ScheduleRow | null> {
  return await db.maybeOne(sql.type(ScheduleRow)`
    SELECT ${columns} FROM schedules WHERE creation_id = ${creationId}
    ORDER BY created_at DESC, id DESC LIMIT 1`);
}

/** Cancels what waits, with the reason that readers of the schedule are told; no pending one is no error. */
export async function cancelPendingSchedule(
  tx: Tx,
  creationId: string,
  detail: string,
  nowMs: number,
): Promise<void> {
  await tx.query(command`
    UPDATE schedules SET status = 'cancelled', outcome_detail = ${detail}, completed_at = ${at(nowMs)}
    WHERE creation_id = ${creationId} AND status = 'pending'`);
}
