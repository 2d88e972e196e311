import type { Json } from "./agent.ts";
import { queryDatabase } from "./cluster.ts";
import type { TestService } from "./service.ts";

type Database = Pick<TestService, "databaseUrl">;

/** Rows of one statement on a service's database, as the service's own role. */
export async function runSql(service: Database, text: string, values: unknown[] = []): Promise<Json[]> {
  return await queryDatabase(service.databaseUrl, text, values);
}

const WITHOUT_STATS = "(to_jsonb(t) - 'stats' - 'stats_version' - 'column_forms' - 'parquet_version')";

/**
 * Every row of every table of ours as text. It leaves out contacts, artwork and counts of reads, which any request or
 * reader changes, the signs of life of processes, and, unless asked for, statistics and Parquet files, which a worker makes at
 * some time after the upload.
 */
export async function dumpTables(
  service: Database,
  { withStats = false }: { withStats?: boolean } = {},
): Promise<string> {
  const rowOf = (table: string) => (withStats || table !== "assets" ? "row_to_json(t)" : WITHOUT_STATS);
  const made = withStats ? "" : ", 'described_stats', 'parquet_files'";
  const tables = await queryDatabase<{ name: string }>(
    service.databaseUrl,
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'
      AND tablename NOT IN ('agent_contacts', 'artworks', 'read_count_writers', 'read_counts', 'service_processes', 'token_contacts'${made}) ORDER BY 1`,
  );
  const partOf = (table: string) =>
    withStats || table !== "pending_work" ? "" : "WHERE t.kind <> 'write-parquet'";
  const each = tables.map(
    ({ name }) => `SELECT '${name} ' || ${rowOf(name)}::text AS row FROM "${name}" t ${partOf(name)}`,
  );
  const text = `${each.join(" UNION ALL ")} ORDER BY 1`;
  const rows = await queryDatabase<{ row: string }>(service.databaseUrl, text);
  return rows.map(({ row }) => row).join("\n");
}

/** Sets or clears one of the timestamps that gate an agent: paused_at, suspended_at, archived_at, homepage_hidden_at. */
export async function setAgentTimestamp(
  service: TestService,
  agentId: string,
  column: "paused_at" | "suspended_at" | "archived_at" | "homepage_hidden_at" | "claimed_at",
  timestamp: Date | null,
): Promise<void> {
  await runSql(service, `UPDATE agents SET ${column} = $2 WHERE id = $1`, [agentId, timestamp]);
}

/** Sets the status of an owner's account. */
export async function setOwnerStatus(service: TestService, ownerId: string, status: string): Promise<void> {
  await runSql(service, "UPDATE owners SET status = $2 WHERE id = $1", [ownerId, status]);
}

/** Keys of stored files, unless asked for without the Parquet files that a worker makes at some time after the upload. */
export async function listStoredFiles(
  { deps: { files } }: Pick<TestService, "deps">,
  { withParquet = false }: { withParquet?: boolean } = {},
): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of files.list()) if (withParquet || !(await isParquet(files, key))) keys.push(key);
  return keys.sort();
}

async function isParquet(files: TestService["deps"]["files"], key: string): Promise<boolean> {
  for await (const chunk of files.get(key)) return Buffer.from(chunk).subarray(0, 4).toString() === "PAR1";
  return false;
}

/** Who did what to an agent and its works, the oldest first. */
export async function listActsOn(service: TestService, agentId: string): Promise<string[]> {
  const text = "SELECT actor_kind || ' ' || action AS act FROM audit_log WHERE agent_id = $1 ORDER BY id";
  return (await runSql(service, text, [agentId])).map(({ act }) => act);
}
