import { z } from "zod";
import { at, command, type Db, sql, Timestamp, texts } from "../connection/pool.ts";

const ProcessRow = z.strictObject({
  id: z.string(),
  kind: z.enum(["api", "workers"]),
  workers: z.array(z.string()),
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  started_at: Timestamp,
  seen_at: Timestamp,
});

/** A process of the service, with its times in epoch milliseconds. */
export type ProcessRow = z.infer<typeof ProcessRow>;

/** Notes that a process lives, from its first sign on. */
export async function upsertProcess(db: Db, row: ProcessRow): Promise<void> {
  await db.query(command`
    INSERT INTO service_processes (id, kind, workers, host, pid, version, started_at, seen_at)
    VALUES (${row.id}, ${row.kind}, ${texts(row.workers)}, ${row.host}, ${row.pid},
      ${row.version}, ${at(row.started_at)}, ${at(row.seen_at)})
    ON CONFLICT (id) DO UPDATE SET seen_at = EXCLUDED.seen_at`);
}

/** The processes that gave a sign since a time, the oldest first. */
export async function listProcesses(db: Db, sinceMs: number): Promise<readonly ProcessRow[]> {
  return await db.any(sql.type(ProcessRow)`
    SELECT id, kind, workers, host, pid, version, started_at, seen_at
    FROM service_processes WHERE seen_at >= ${at(sinceMs)} ORDER BY kind, started_at, id`);
}

/** Forgets a process that ends. */
export async function deleteProcess(db: Db, id: string): Promise<void> {
  await db.query(command`DELETE FROM service_processes WHERE id = ${id}`);
}

/** Forgets processes that gave no sign since a time. */
export async function deleteProcessesBefore(db: Db, beforeMs: number): Promise<void> {
  await db.query(command`DELETE FROM service_processes WHERE seen_at < ${at(beforeMs)}`);
}
