import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";

/** Work that is done later. */
export interface NewPendingWork {
  /** The name of its job. */
  kind: string;
  /** The id of a row, or the key of a feed. */
  subject: string;
  subjectKind: string | null;
  /** From then on its job counts as lost. */
  runMs: number;
}

/** The index that has one row a subject, of all work but feeds: each change of a feed is a row of its own. */
export const onePerSubject = sql.fragment`(kind, subject) WHERE kind <> 'build-feed'`;

/** Notes work that is to be done; what was to be done already is new, with another id. */
export async function upsertPendingWork(tx: Tx, works: readonly NewPendingWork[], nowMs: number) {
  if (works.length === 0) return;
  const rows = works.map(({ kind, subject, subjectKind, runMs }) => [kind, subject, subjectKind, runMs]);
  await tx.query(command`
    INSERT INTO pending_work (kind, subject, subject_kind, created_at, run_at)
    SELECT kind, subject, subject_kind, ${at(nowMs)}, to_timestamp(run_ms / 1000)
    FROM ${sql.unnest(rows, ["text", "text", "text", "float8"])} AS work (kind, subject, subject_kind, run_ms)
    ON CONFLICT ${onePerSubject} DO UPDATE
      SET id = DEFAULT, attempt = 0, begun_at = NULL, created_at = excluded.created_at, run_at = excluded.run_at`);
}

const Begun = z.strictObject({ id: z.number(), attempt: z.number() });

/** Counts that a worker begins work of a subject; null where there is none to do. */
export async function beginPendingWork(db: Db, kind: string, subject: string) {
  return await db.maybeOne(sql.type(Begun)`
    UPDATE pending_work SET attempt = attempt + 1 WHERE kind = ${kind} AND subject = ${subject}
    RETURNING id, attempt`);
}

const Noted = z.strictObject({ id: z.number(), created_at: Timestamp });
export type NotedWork = z.infer<typeof Noted>;

/** All that is noted of a subject. */
export async function listPendingWork(db: Db, kind: string, subject: string): Promise<readonly NotedWork[]> {
  return await db.any(sql.type(Noted)`
    SELECT id, created_at FROM pending_work WHERE kind = ${kind} AND subject = ${subject}`);
}

/** The statement that ends work that is done. */
export function deletePendingWorks(works: readonly { id: number }[]) {
  const ids = works.map(({ id }) => id);
  return sql.fragment`DELETE FROM pending_work WHERE id = ANY(${sql.array(ids, "int8")})`;
}

/** Ends work that is done, unless it came again since. */
export async function deletePendingWork(db: Db, id: number): Promise<void> {
  await db.query(command`${deletePendingWorks([{ id }])}`);
}

const Lost = z.strictObject({ subject: z.string(), subject_kind: z.string().nullable() });

/**
 * Work of a kind whose job was lost, at most 500 rows, which is lost again after as long, and after twice as long for
 * each time that a worker began it.
 */
export async function renewLostWork(
  tx: Tx,
  kind: string,
  { afterMs, nowMs }: { afterMs: number; nowMs: number },
): Promise<readonly z.infer<typeof Lost>[]> {
  return await tx.any(sql.type(Lost)`
    WITH renewed AS (
      UPDATE pending_work SET begun_at = NULL,
        run_at = ${at(nowMs)} + ${afterMs}::float8 * interval '1 ms' * power(2, least(attempt, 8))
      WHERE id IN (
        SELECT id FROM pending_work WHERE kind = ${kind} AND run_at < ${at(nowMs)}
        ORDER BY run_at LIMIT 500 FOR UPDATE SKIP LOCKED)
      RETURNING subject, subject_kind)
    SELECT DISTINCT subject, subject_kind FROM renewed ORDER BY subject`);
}
