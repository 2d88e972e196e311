import { setTimeout as delay } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import { ConfigError, loadConfig } from "../shared/config.ts";
import { closeDeps, openDeps, openLog } from "../shared/deps.ts";
import { openOperatorsServer } from "../shared/operations/server.ts";
import { announceReady } from "../shared/process/announce-ready.ts";
import { exitWithParent } from "../shared/process/exit-with-parent.ts";
import { openThreads } from "../shared/threads/open.ts";
import { buildApp } from "./app.ts";
import { warnOfAddress } from "./http/console-session.ts";
import { listen } from "./http/listen.ts";

const CLOSE_MS = 8_000;

exitWithParent();
try {
  await main();
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}

/** Runs one API process until a stop signal. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  if (config.databaseUrl === undefined)
    throw new ConfigError("DATABASE_URL is needed to start the API alone.");
  const log = openLog(config.logLevel, "api");
  const deps = await openDeps(config, {
    databaseUrl: config.databaseUrl,
    replicaUrl: config.databaseReadUrl,
    works: false,
    maxConnections: 10,
    log,
  });
  const threads = openThreads({
    filesUrl: config.filesUrl,
    maxThreads: 2,
    inspectTimeoutMs: 20_000,
    rowsTimeoutMs: 10_000,
    memoryMb: 256,
    rowsCacheBytes: config.limits.rowsCacheBytes,
  });
  const stopping = { isStopping: false };
  const app = await buildApp(deps, threads, { stopping });
  warnOfAddress(config, log);
  const { host, apiPort } = config.operators;
  const operators =
    apiPort === undefined ? null : await openOperatorsServer(deps, { host, port: apiPort, process: "API" });
  const { stopNoticeMs } = config;
  closeWithGrace({ delay: stopNoticeMs + CLOSE_MS, logger: false }, async ({ err }) => {
    if (err) log.fatal({ err }, "api stops after a failure");
    else {
      // The balancer sees that this process is unready, and sends the next requests elsewhere.
      stopping.isStopping = true;
      await delay(stopNoticeMs);
    }
    await app.close();
    await operators?.close();
    await threads.close();
    await closeDeps(deps);
  });
  const port = await listen(app, config);
  const url = config.port === 0 ? `http://${config.host}:${port}` : config.siteUrl;
  log.info({ url, port }, "api listening");
  announceReady({ url });
}
