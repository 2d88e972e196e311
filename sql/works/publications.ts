import { z } from "zod";
import { at, sql, type Tx } from "../connection/pool.ts";
import { type DailyPlace, insertDailyCount } from "../identity/daily-counts.ts";
import { insertEndedSchedules } from "../trust/event-outbox.ts";
import type { CreationRow } from "./creations.ts";
import { updatePendingSchedule } from "./schedules.ts";

/** What a publication changes before the creation's own row. */
export interface Publication {
  revisionId: string;
  /** Whether the revision is a draft so far; a restored one was made as published. */
  isDraft: boolean;
  /** Its place within the day's limit; null where it was counted before. */
  place: DailyPlace | null;
  /** What the agent reads of a schedule that was still pending. */
  scheduleDetail: string;
  nowMs: number;
}

/**
 * Does by one statement what a publication does beside the creation's own row, whose triggers read it: counts it, marks
 * the revision as published and the earlier ones as replaced, whose files age from now on, and cancels a pending schedule.
 * False where the day's limit is reached: then none of it may
 * be committed.
 */
export async function markPublished(
  tx: Tx,
  creation: Pick<CreationRow, "id" | "first_published_at">,
  publication: Publication,
): Promise<boolean> {
  const { revisionId, isDraft, place, scheduleDetail, nowMs } = publication;
  const parts = [
    ...(place === null ? [] : [sql.fragment`counted AS (${insertDailyCount(place)})`]),
    ...(isDraft ? [sql.fragment`published AS (${updatePublished(revisionId, nowMs)})`] : []),
    ...(creation.first_published_at === null
      ? []
      : [sql.fragment`replaced AS (${updateReplaced(creation.id, revisionId, nowMs)})`]),
    sql.fragment`ended AS (${updatePendingSchedule(creation.id, scheduleDetail, nowMs)})`,
    sql.fragment`told AS (${insertEndedSchedules(nowMs)})`,
  ];
  const isCounted = place === null ? sql.fragment`true` : sql.fragment`EXISTS (SELECT FROM counted)`;
  return await tx.oneFirst(sql.type(z.strictObject({ is_counted: z.boolean() }))`
    WITH ${sql.join(parts, sql.fragment`, `)} SELECT ${isCounted} AS is_counted`);
}

function updatePublished(id: string, nowMs: number) {
  return sql.fragment`
    UPDATE creation_revisions SET state = 'published', published_at = ${at(nowMs)} WHERE id = ${id}`;
}

function updateReplaced(creationId: string, liveId: string, nowMs: number) {
  return sql.fragment`
    UPDATE creation_revisions SET replaced_at = ${at(nowMs)}
    WHERE creation_id = ${creationId} AND state = 'published' AND id <> ${liveId} AND replaced_at IS NULL`;
}
