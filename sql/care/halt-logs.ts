import type pg from "pg";

/** Has every log stand still, as of a timestamp, in the client's transaction: nobody knows what was signed since the backup. */
export async function haltLogs(client: pg.Client, nowMs: number): Promise<void> {
  await client.query("UPDATE logs SET restored_at = to_timestamp($1)", [nowMs / 1000]);
}
