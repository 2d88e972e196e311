import { setTimeout as delay } from "node:timers/promises";
import { ConfigError } from "../shared/ground/errors.ts";
import { VERSION } from "../shared/ground/version.ts";
import { prepareFirstStart } from "../shared/identity/owners/first-owner.ts";
import { loadConfig } from "../shared/platform/config.ts";
import { warnOfGoneVariables } from "../shared/platform/environment/gone.ts";
import { withConnection } from "../sql/connection/own-connection.ts";
import { sentenceOf } from "./refusal.ts";
import { openStarterLog, type StarterLog } from "./starter-log.ts";
import { prepareDatabase } from "./supervisor/service.ts";

const COMMAND = "docker compose run --rm first node cli/main.ts";
const LOOK_EVERY_MS = 250;
/** PostgreSQL may make its database, or come back after a crash, meanwhile. */
const LONGEST_START_MS = 120_000;

// The service `first` of docker-compose.yml: prepares what its other containers need, prints the first owner's link, and
// ends.
process.exit(await prepare(openStarterLog({ isTerminal: true, isErrorTerminal: true, command: COMMAND })));

async function prepare(log: StarterLog): Promise<number> {
  try {
    warnOfGoneVariables(process.env, (sentence) => log.note(sentence, "warn"));
    const config = loadConfig(process.env);
    const { databaseUrl, siteUrl } = config;
    if (databaseUrl === undefined) throw new ConfigError("DATABASE_URL is needed to prepare a service.");
    await untilLetIn(databaseUrl);
    await prepareDatabase(config, databaseUrl);
    const first = await prepareFirstStart(databaseUrl, config);
    if (first !== null) log.showFirstStart(first, siteUrl);
    log.note(`Broadsheet ${VERSION} is prepared. Its containers answer at ${siteUrl} in a moment.`);
    return 0;
  } catch (error) {
    log.fail(sentenceOf(error));
    return 1;
  }
}

/** Waits for a server that still starts; another fault is told by what comes after. */
async function untilLetIn(databaseUrl: string): Promise<void> {
  const lastMs = performance.now() + LONGEST_START_MS;
  const isLetIn = () =>
    withConnection(databaseUrl, async () => true, { connectWithinMs: 2_000 }).catch(() => false);
  while (!(await isLetIn()) && performance.now() < lastMs) await delay(LOOK_EVERY_MS);
}
