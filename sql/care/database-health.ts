import { z } from "zod";
import { type Db, sql, Timestamp } from "../connection/pool.ts";

const Health = z.strictObject({
  version_number: z.number(),
  version: z.string(),
  encoding: z.string(),
  role: z.string(),
  is_superuser: z.boolean(),
  may_create: z.boolean(),
  is_standby: z.boolean(),
  read_only: z.string(),
  fsync: z.string(),
  full_page_writes: z.string(),
  max_connections: z.number(),
  used_connections: z.number(),
  bytes: z.number(),
  clock: Timestamp,
});
export type DatabaseHealth = z.infer<typeof Health>;

/** The facts about a database that an operator needs, and the time on its clock. */
export async function readDatabaseHealth(db: Db): Promise<DatabaseHealth> {
  return await db.one(sql.type(Health)`
    SELECT current_setting('server_version_num')::int AS version_number,
      current_setting('server_version') AS version,
      current_setting('server_encoding') AS encoding,
      current_user::text AS role,
      coalesce((SELECT rolsuper FROM pg_roles WHERE rolname = current_user), false) AS is_superuser,
      has_schema_privilege('public', 'CREATE') AS may_create,
      pg_is_in_recovery() AS is_standby,
      current_setting('default_transaction_read_only') AS read_only,
      current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS full_page_writes,
      current_setting('max_connections')::int AS max_connections,
      (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used_connections,
      pg_database_size(current_database()) AS bytes,
      clock_timestamp() AS clock`);
}
