import { expect, inject } from "vitest";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { choosePort } from "../../cli/embedded/port.ts";
import { API_COMMAND, WORKERS_COMMAND } from "../../cli/supervisor/service.ts";
import { startWatchdog, type Watchdog } from "../../cli/watchdog/client.ts";
import { loadConfig } from "../../shared/platform/config.ts";
import { closeDeps, type Deps, openDeps } from "../../shared/platform/deps.ts";
import type { WorkerName } from "../../shared/platform/jobs/catalogue.ts";
import { migrate } from "../../shared/platform/process/migrate.ts";
import { identifyProcess } from "../../shared/platform/process/processes.ts";
import { openLog } from "../../shared/platform/telemetry/log.ts";
import { closeAfterwards } from "./close-afterwards.ts";
import { createTestDatabase, type TestCluster, type TestDatabase } from "./cluster.ts";
import { findOrphans, type ServiceProcess, startProcess } from "./service-process.ts";

const STOPS_WITHIN_MS = 11_000;

/** Limits a minute are lifted: these tests are about other things, and all calls come from one address. */
const ROOMY = [
  "READS_PER_MINUTE",
  "WRITES_PER_MINUTE",
  "CHECKS_PER_MINUTE",
  "PUBLIC_JSON_PER_MINUTE",
  "FEEDS_PER_MINUTE",
  "ROWS_PER_MINUTE",
  "QUERIES_PER_MINUTE",
  "COMPARISONS_PER_MINUTE",
  "ENROLMENTS_PER_MINUTE",
  "PROCESSING_UPLOADS",
].map((name) => [`LIMIT_${name}`, "1000000"] as const);

/** An API process, with the root of its addresses. */
export interface ApiProcess extends ServiceProcess {
  url: string;
}

/** A service of real processes: on a database of the run's PostgreSQL, or on a PostgreSQL of its own. */
export interface RealService {
  dataDir: string;
  databaseUrl: string;
  /** The services of the command line: for owners, codes, claims, sweeps. */
  deps: Deps;
  /** The log of PostgreSQL's watchdog. */
  watchdogLog: readonly string[];
  startApi(options?: { port?: number; env?: NodeJS.ProcessEnv }): Promise<ApiProcess>;
  startWorkers(names?: readonly WorkerName[], env?: NodeJS.ProcessEnv): Promise<ServiceProcess>;
  /** The unexpected failures (answers of 500) that any API process logged. */
  failures(): string[];
  /** Ends every process and removes the data folder; names the processes that did not end. */
  close(): Promise<string[]>;
}

/** The options of a real service. */
interface RealOptions {
  env?: NodeJS.ProcessEnv;
  /** The run's PostgreSQL, for a database there; without it the service has one of its own, which waits for the disk. */
  cluster?: TestCluster;
  settings?: Record<string, string>;
}

/** Makes a migrated database; the caller starts the API and workers it needs. */
export async function openRealService(options: RealOptions = {}): Promise<RealService> {
  const watchdogLog: string[] = [];
  const dataDir = await makeTemporaryDataFolder("broadsheet-test-");
  const watchdog = await startWatchdog({
    dataDir,
    temporary: true,
    postgres: options.cluster === undefined,
    settings: options.settings ?? {},
    log: (line) => watchdogLog.push(line),
    onLost: (error) => console.error(error),
  });
  const shared = options.cluster ? await createTestDatabase(options.cluster) : null;
  const databaseUrl = shared?.url ?? watchdog.database?.url ?? "";
  const env = {
    ...process.env,
    ...Object.fromEntries(ROOMY),
    // Few tests have a balancer; the others need not wait for it.
    STOP_NOTICE_MS: "0",
    ...options.env,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
  };
  try {
    if (shared === null) await migrate(databaseUrl);
    const deps = await openCommandLine(databaseUrl, dataDir, options.env);
    return assemble({ dataDir, databaseUrl, deps, watchdogLog }, { watchdog, shared }, env);
  } catch (error) {
    await shared?.drop();
    await watchdog.stop();
    throw error;
  }
}

/**
 * Opens a service on the run's PostgreSQL, until the test or the file that asked for it has ended: by then no process
 * has failed to answer, and none is left.
 */
export async function openServiceOfRun(env: NodeJS.ProcessEnv = {}): Promise<RealService> {
  const service = await openRealService({ cluster: inject("cluster"), env });
  closeAfterwards(async () => {
    expect(service.failures()).toEqual([]);
    expect(await service.close()).toEqual([]);
  });
  return service;
}

async function openCommandLine(
  databaseUrl: string,
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Deps> {
  const config = loadConfig({ ...env, DATA_DIR: dataDir, LOG_LEVEL: "silent" });
  const log = openLog("silent", "test");
  return await openDeps(config, { databaseUrl, works: false, maxConnections: 2, log });
}

type Opened = Omit<RealService, "startApi" | "startWorkers" | "failures" | "close">;

function assemble(
  opened: Opened,
  { watchdog, shared }: { watchdog: Watchdog; shared: TestDatabase | null },
  env: NodeJS.ProcessEnv,
): RealService {
  const started: ServiceProcess[] = [];
  const start = async (args: readonly string[], more: NodeJS.ProcessEnv, ready: string) => {
    const running = startProcess({ command: process.execPath, args, env: { ...env, ...more } });
    started.push(running);
    // Should the test runner be killed, the watchdog ends this process too.
    const identity = await identifyProcess(running.pid);
    if (identity !== null) watchdog.watch(identity);
    try {
      await running.said(ready);
    } catch (error) {
      running.child.kill("SIGKILL");
      throw error;
    }
    return running;
  };
  return {
    ...opened,
    async startApi(options = {}) {
      const port = options.port ?? (await choosePort());
      const more = { ...options.env, PORT: String(port) };
      const running = await start(API_COMMAND, more, "api listening");
      return { ...running, url: `http://127.0.0.1:${port}` };
    },
    startWorkers: (names = [], more = {}) => start([...WORKERS_COMMAND, ...names], more, "workers ready"),
    failures: () => {
      const lines = started.flatMap((running) => running.lines);
      return lines.filter((line) => line.msg === "unexpected failure").map((line) => line.text);
    },
    async close() {
      await closeDeps(opened.deps).catch(() => undefined);
      await Promise.all(started.map(end));
      await shared?.drop();
      await watchdog.stop();
      return await findOrphans(opened.dataDir, []);
    },
  };
}

async function end(running: ServiceProcess): Promise<void> {
  running.child.kill("SIGTERM");
  const timer = setTimeout(() => running.child.kill("SIGKILL"), STOPS_WITHIN_MS);
  await running.ended;
  clearTimeout(timer);
}
