import { z } from "zod";
import { at, atOrNull, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";

const DataTimesRow = z.strictObject({
  data_changed_at: Timestamp.nullable(),
  data_confirmed_at: Timestamp.nullable(),
  data_frequency: z.string().nullable(),
  data_due_at: Timestamp.nullable(),
  data_overdue_at: Timestamp.nullable(),
});
export type DataTimesRow = z.infer<typeof DataTimesRow>;

interface Due {
  dueMs: number | null;
  overdueMs: number | null;
}

/** When the files of a creation changed, were confirmed, and are due. */
export async function findDataTimes(db: Db, creationId: string): Promise<DataTimesRow> {
  return await db.one(sql.type(DataTimesRow)`
    SELECT data_changed_at, data_confirmed_at, data_frequency, data_due_at, data_overdue_at
    FROM creations WHERE id = ${creationId}`);
}

/** Sets how often the data of a creation are renewed and by when they are due, with the copies of the search. */
export async function setFrequency(tx: Tx, creationId: string, due: Due & { frequency: string | null }) {
  await tx.query(command`
    WITH ${copyToSearch(creationId, due)}
    UPDATE creations SET data_frequency = ${due.frequency}, data_due_at = ${atOrNull(due.dueMs)},
      data_overdue_at = ${atOrNull(due.overdueMs)}
    WHERE id = ${creationId}`);
}

/** Notes that the data of a creation were confirmed, with the copies of the search; version and last update stay. */
export async function confirmData(tx: Tx, creationId: string, confirmed: Due & { confirmedMs: number }) {
  const { dueMs, overdueMs, confirmedMs } = confirmed;
  await tx.query(command`
    WITH ${copyToSearch(creationId, confirmed)}
    UPDATE creations SET data_confirmed_at = ${at(confirmedMs)}, data_due_at = ${atOrNull(dueMs)},
      data_overdue_at = ${atOrNull(overdueMs)}
    WHERE id = ${creationId}`);
}

function copyToSearch(creationId: string, { dueMs, overdueMs }: Due) {
  return sql.fragment`copied AS (
    UPDATE search_creations SET data_due_at = ${atOrNull(dueMs)}, data_overdue_at = ${atOrNull(overdueMs)}
    WHERE creation_id = ${creationId})`;
}
