import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { makeExtensions, withClient } from "../../cli/embedded/database.ts";
import { startWatchdog } from "../../cli/watchdog/client.ts";
import { migrate } from "../../shared/platform/process/migrate.ts";
import { closeAfterwards } from "./close-afterwards.ts";
import { findScratchFolder } from "./memory-folder.ts";

const TEMPLATE = "broadsheet_template";

/** The addresses of the one cluster of a test run: for its superuser, and for the role broadsheet. */
export interface TestCluster {
  adminUrl: string;
  url: string;
}

declare module "vitest" {
  interface ProvidedContext {
    cluster: TestCluster;
  }
}

/** A database of its own for one test or one file. */
export interface TestDatabase {
  /** For the role broadsheet, which owns it. */
  url: string;
  drop(): Promise<void>;
}

const SETTINGS = {
  max_connections: "300",
  // Nothing here outlives the run, so nothing waits for the disk, and nobody cleans databases that are dropped.
  ...{ fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
  ...{ autovacuum: "off", checkpoint_timeout: "1h", max_wal_size: "256MB" },
  // Passwords are tested on clusters of their own; some thousand connections are opened here.
  scram_iterations: "1",
  // Connections are short here: PostgreSQL would plan a prepared statement five times before it keeps a plan.
  plan_cache_mode: "force_generic_plan",
};

/** Starts the cluster of a test run with the migrated template; its watchdog removes it should the runner be killed. */
export async function startTestCluster(): Promise<TestCluster & { stop(): Promise<void> }> {
  const watchdog = await startWatchdog({
    // A clone is 800 files: in memory it took 15 ms of the processor, on a busy disk 80 to 600 ms.
    dataDir: await makeTemporaryDataFolder("broadsheet-test-", await findScratchFolder()),
    temporary: true,
    settings: SETTINGS,
    log: () => undefined,
    onLost: (error) => console.error(error),
  });
  const { adminUrl, url } = watchdog.database ?? { adminUrl: "", url: "" };
  try {
    await makeTemplate(adminUrl, url);
  } catch (error) {
    await watchdog.stop();
    throw error;
  }
  return { adminUrl, url, stop: () => watchdog.stop() };
}

// Tests ask their database some thousand things, and a connection for each took 9 ms of the processor.
const pools = new Map<string, pg.Pool>();
const IDLE_MS = 2_000;

/** Rows of one statement on a database, over connections that stay open where it is one of this run's cluster. */
export async function queryDatabase<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const pool = pools.get(url);
  if (pool !== undefined) return (await pool.query<Row>(text, values)).rows;
  return await withClient(url, async (client) => (await client.query<Row>(text, values)).rows);
}

function openTestPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, idleTimeoutMillis: IDLE_MS, allowExitOnIdle: true });
  // Of an idle connection, which ends with its database.
  pool.on("error", () => undefined);
  pools.set(url, pool);
  return pool;
}

/** Clones the migrated template, or makes an empty one; it is dropped after the test or the file that asked for it. */
export async function createTestDatabase(
  cluster: TestCluster = inject("cluster"),
  { isEmpty = false } = {},
): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const admin = pools.get(cluster.adminUrl) ?? openTestPool(cluster.adminUrl);
  // Measured with fsync off, in memory: FILE_COPY 15 ms of the processor a clone, WAL_LOG 25 to 37 ms.
  await admin.query(
    `CREATE DATABASE ${name} TEMPLATE ${isEmpty ? "template0" : TEMPLATE} STRATEGY FILE_COPY OWNER broadsheet`,
  );
  const url = withDatabaseName(cluster.url, name);
  const pool = openTestPool(url);
  const drop = closeAfterwards(async () => {
    if (pools.delete(url)) await pool.end();
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
  return { url, drop };
}

async function makeTemplate(adminUrl: string, url: string): Promise<void> {
  await withClient(adminUrl, (client) => client.query(`CREATE DATABASE ${TEMPLATE} OWNER broadsheet`));
  await withClient(withDatabaseName(adminUrl, TEMPLATE), makeExtensions);
  await migrate(withDatabaseName(url, TEMPLATE));
  // A session on the template would make every clone fail.
  await withClient(adminUrl, async (client) => {
    await client.query(`ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false IS_TEMPLATE true`);
    await client.query("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1", [
      TEMPLATE,
    ]);
  });
}

function withDatabaseName(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
