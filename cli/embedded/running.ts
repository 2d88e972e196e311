import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { ConfigError } from "../../shared/ground/errors.ts";
import { startWatchdog } from "../watchdog/client.ts";
import { readAnnouncedUrl } from "./credentials.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { canConnect } from "./database.ts";
import { hasCluster } from "./initialize.ts";
import { type Lock, readHolder, tryLock, waitForEarlierWatchdog } from "./lock.ts";
import { inUse, WAIT_MS } from "./take-data-folder.ts";

const POLL_MS = 100;

/** The address of the embedded database while the service of this data folder runs, else null. */
export async function findRunningDatabase(dataDir: string): Promise<string | null> {
  // One that was left over by a crash is ended by the next start.
  const guarded = (await readHolder(dataDir, "watchdog")) !== null;
  const url = guarded ? await readAnnouncedUrl(dataDir) : null;
  return url !== null && (await canConnect(url)) ? url : null;
}

/**
 * Calls work with the address of the database: DATABASE_URL, that of the running service, or that of a PostgreSQL
 * started for the time of the call. Throws a Refusal when none comes up within 30 seconds. Only where `makes` is set
 * does a data folder without a database get one; elsewhere a ConfigError names the folder.
 */
export async function withDatabase<T>(
  config: { dataDir: string; databaseUrl: string | undefined },
  work: (databaseUrl: string) => Promise<T>,
  { makes = false }: { makes?: boolean } = {},
): Promise<T> {
  if (config.databaseUrl !== undefined) return await work(config.databaseUrl);
  if (!makes) await refuseWithoutService(config.dataDir);
  const dataDir = await prepareDataFolder(config.dataDir);
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const lock = await tryLock(dataDir, "command");
    if (lock !== null) return await withOwnPostgres({ dataDir, lock, makes }, work);
    const holder = await readHolder(dataDir);
    // Another command's PostgreSQL ends with that command, so only the service's is used.
    const url = holder?.purpose === "service" ? await findRunningDatabase(dataDir) : null;
    if (url !== null) return await work(url);
    if (performance.now() >= deadline) throw inUse(dataDir, holder);
    await delay(POLL_MS);
  }
}

/** A service that starts for the first time holds the folder before it has made the database. */
async function refuseWithoutService(dataDir: string): Promise<void> {
  if (await hasCluster(dataDir)) return;
  const holder = await readHolder(dataDir);
  if (holder?.purpose !== "service") throw await describeMissing(dataDir);
}

async function describeMissing(dataDir: string): Promise<ConfigError> {
  const exists = await stat(dataDir).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return new ConfigError(
    `DATA_DIR names ${dataDir}, which ${exists ? "holds no database" : "is no folder"}. Set DATA_DIR to the folder ` +
      "of the service, or DATABASE_URL to its database; npm start makes a new service.",
  );
}

async function withOwnPostgres<T>(
  { dataDir, lock, makes }: { dataDir: string; lock: Lock; makes: boolean },
  work: (url: string) => Promise<T>,
): Promise<T> {
  try {
    if (!makes && !(await hasCluster(dataDir))) throw await describeMissing(dataDir);
    await waitForEarlierWatchdog(dataDir);
    const lost = Promise.withResolvers<never>();
    const watchdog = await startWatchdog({ dataDir, log: () => undefined, onLost: lost.reject });
    try {
      return await Promise.race([work(watchdog.database?.url ?? ""), lost.promise]);
    } finally {
      await watchdog.stop();
    }
  } finally {
    lock.release();
  }
}
