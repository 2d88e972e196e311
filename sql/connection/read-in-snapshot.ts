import { command, type Db, type Pool } from "./pool.ts";

/** Runs reads on one snapshot of the database, whatever is written meanwhile; it allows no writes. */
export async function readInSnapshot<T>(pool: Pool, work: (db: Db) => Promise<T>): Promise<T> {
  return await pool.connect(async (connection) => {
    await connection.query(command`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`);
    try {
      return await work(connection);
    } finally {
      await connection.query(command`COMMIT`);
    }
  });
}

/** Lets a snapshot wait between two reads for longer than a request may: their rows are written somewhere first. */
export async function allowLongPauses(db: Db): Promise<void> {
  await db.query(command`SET LOCAL idle_in_transaction_session_timeout = '10min'`);
}
