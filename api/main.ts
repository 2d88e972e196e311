import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { warnOfStandstill } from "../shared/care/doctor/work.ts";
import { openBlockedNetworks } from "../shared/care/moderation/blocked-networks.ts";
import { openOperatorsServer } from "../shared/care/operations/server.ts";
import { ConfigError } from "../shared/ground/errors.ts";
import { VERSION } from "../shared/ground/version.ts";
import { makeConfiguredOwner } from "../shared/identity/owners/first-owner.ts";
import { type Config, loadConfig } from "../shared/platform/config.ts";
import { closeDeps, openDeps } from "../shared/platform/deps.ts";
import { warnOfGoneVariables } from "../shared/platform/environment/gone.ts";
import { announceReady } from "../shared/platform/process/announce-ready.ts";
import { endGracefully, exitWithParent } from "../shared/platform/process/end-gracefully.ts";
import { explainListenFault } from "../shared/platform/process/explain-failure.ts";
import { startHeartbeat } from "../shared/platform/process/live-processes.ts";
import { pollState } from "../shared/platform/process/poll-state.ts";
import { untilSchemaFits } from "../shared/platform/process/readiness.ts";
import { refuseWords } from "../shared/platform/process/refuse-words.ts";
import { saveSiteUrl } from "../shared/platform/process/site-url.ts";
import { reportStartFailure } from "../shared/platform/process/start-failure.ts";
import { openLog } from "../shared/platform/telemetry/log.ts";
import { openThreads } from "../shared/platform/threads/open.ts";
import { openReadCounter, writeReads } from "../shared/reading/view-counts/read-counter.ts";
import { listWitnessKeys } from "../shared/trust/witness/witnessed-logs.ts";
import { buildApp } from "./app.ts";
import { warnOfAddress } from "./http/console-route.ts";
import { listen, openWaitingServer } from "./http/listen.ts";

const CLOSE_MS = 8_000;

exitWithParent();
try {
  refuseWords("npm run api", process.argv.slice(2));
  await main();
} catch (error) {
  reportStartFailure("api", error);
  process.exit(1);
}

/** Runs one API process until a stop signal. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  if (config.databaseUrl === undefined)
    throw new ConfigError("DATABASE_URL is needed to start the API alone.");
  const log = beginLog(config);
  await untilSchemaFits(config.databaseUrl, log, (problem) => openWaitingServer(config, VERSION, problem));
  const deps = await openDeps(config, {
    databaseUrl: config.databaseUrl,
    works: false,
    maxConnections: 10,
    log,
  });
  await Promise.all([warnOfStandstill(deps), saveSiteUrl(deps, "API"), makeWitnessKey(config)]);
  const signs = await startHeartbeat(deps, { kind: "api", workers: [] });
  const firstOwner = await makeConfiguredOwner(deps);
  if (firstOwner !== null) log.info({ owner_id: firstOwner }, "the owner of FIRST_OWNER_EMAIL is made");
  const threads = openApiThreads(config);
  const stopping = new AbortController();
  const blockedNetworks = openBlockedNetworks();
  const following = await pollState(deps, [blockedNetworks, deps.banner]);
  const reads = openReadCounter(deps);
  const writing = writeReads(reads);
  const app = await buildApp(deps, threads, { stopping, blockedNetworks, reads });
  warnOfAddress(config, log);
  const { host, apiPort } = config.operators;
  const operators =
    apiPort === undefined ? null : await openOperatorsServer(deps, { host, port: apiPort, process: "API" });
  endGracefully({ name: "api", log, withinMs: config.stopNoticeMs + CLOSE_MS }, async (signal) => {
    // The balancer sees that this process is unready, and sends the next requests elsewhere.
    stopping.abort();
    if (signal !== null) await delay(config.stopNoticeMs);
    await signs.stop();
    following.close();
    await app.close();
    await writing.stop();
    await operators?.close();
    await threads.close();
    await closeDeps(deps);
  });
  const port = await listen(app, config).catch((error) => {
    throw explainListenFault(error, { ...config, hostName: "HOST", portName: "PORT" });
  });
  const url = config.port === 0 ? `http://${config.host}:${port}` : config.siteUrl;
  log.info({ url, port }, "api listening");
  announceReady({ url });
}

/** A witness has a key from its first start on. */
async function makeWitnessKey(config: Config): Promise<void> {
  if (config.isWitness) await listWitnessKeys({ config });
}

function beginLog({ logLevel }: Config): Logger {
  const log = openLog(logLevel, "api");
  log.info({ version: VERSION, node: process.version }, "api starting");
  warnOfGoneVariables(process.env, (sentence) => log.warn(sentence));
  return log;
}

function openApiThreads({ filesUrl, limits: { rowsCacheBytes, scanSeconds } }: Config) {
  const times = { inspectTimeoutMs: 20_000, rowsTimeoutMs: 1_000 * scanSeconds };
  return openThreads({ filesUrl, rowsCacheBytes, maxThreads: 2, memoryMb: 256, ...times });
}
