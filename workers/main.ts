import { warnOfStandstill } from "../shared/care/doctor/work.ts";
import { type OperatorsServer, openOperatorsServer } from "../shared/care/operations/server.ts";
import { ConfigError } from "../shared/ground/errors.ts";
import { askWhetherMeant } from "../shared/ground/nearest-name.ts";
import { VERSION } from "../shared/ground/version.ts";
import { loadConfig } from "../shared/platform/config.ts";
import { closeDeps, type Deps, openDeps } from "../shared/platform/deps.ts";
import { warnOfGoneVariables } from "../shared/platform/environment/gone.ts";
import { WORKERS, type WorkerName } from "../shared/platform/jobs/catalogue.ts";
import { announceReady } from "../shared/platform/process/announce-ready.ts";
import { endGracefully, exitWithParent } from "../shared/platform/process/end-gracefully.ts";
import { startHeartbeat } from "../shared/platform/process/live-processes.ts";
import { untilSchemaFits } from "../shared/platform/process/readiness.ts";
import { saveSiteUrl } from "../shared/platform/process/site-url.ts";
import { reportStartFailure } from "../shared/platform/process/start-failure.ts";
import { openLog } from "../shared/platform/telemetry/log.ts";
import { openThreads } from "../shared/platform/threads/open.ts";
import { startJobs, startSweeps } from "./runner.ts";

const STOP_MS = 9_500;

exitWithParent();
try {
  await main(readNames(process.argv.slice(2)));
} catch (error) {
  reportStartFailure("workers", error);
  process.exit(1);
}

/** Runs one process with the named workers (none named: all) until a stop signal. */
async function main(names: readonly WorkerName[]): Promise<void> {
  const config = loadConfig(process.env);
  if (config.databaseUrl === undefined)
    throw new ConfigError("DATABASE_URL is needed to start workers alone.");
  const log = openLog(config.logLevel, "workers");
  log.info({ version: VERSION, node: process.version, workers: names }, "workers starting");
  warnOfGoneVariables(process.env, (sentence) => log.warn(sentence));
  await untilSchemaFits(config.databaseUrl, log);
  const deps = await openDeps(config, {
    databaseUrl: config.databaseUrl,
    works: true,
    maxConnections: 8,
    log,
  });
  await warnOfStandstill(deps);
  await saveSiteUrl(deps, "workers");
  const threads = openThreads({
    filesUrl: config.filesUrl,
    maxThreads: config.workerConcurrency,
    drawingThreads: config.workerConcurrency,
    inspectTimeoutMs: 20_000,
    rowsTimeoutMs: 1_000 * config.limits.scanSeconds,
    memoryMb: 256,
  });
  const signs = await startHeartbeat(deps, { kind: "workers", workers: names });
  await startJobs({ deps, threads }, names);
  const sweeps = startSweeps({ deps, threads }, names);
  const operators = await openOperators(deps);
  endGracefully({ name: "workers", log, withinMs: STOP_MS }, async () => {
    await signs.stop();
    await sweeps.stop();
    await operators?.close();
    await closeDeps(deps);
    await threads.close();
  });
  log.info({ workers: names }, "workers ready");
  announceReady();
}

/** The operators' port, where one is set. */
async function openOperators(deps: Deps): Promise<OperatorsServer | null> {
  const { host, workersPort: port } = deps.config.operators;
  if (port === undefined) return null;
  return await openOperatorsServer(deps, { host, port, process: "workers" });
}

function readNames(given: readonly string[]): readonly WorkerName[] {
  const unknown = given.filter((name) => !WORKERS.some((worker) => worker === name));
  if (unknown.length > 0) {
    const meant = askWhetherMeant(unknown[0] ?? "", WORKERS);
    throw new ConfigError(
      `There is no worker ${unknown.join(", ")}; there are ${WORKERS.join(", ")}.${meant}`,
    );
  }
  return given.length === 0 ? WORKERS : WORKERS.filter((worker) => given.includes(worker));
}
