import { ConfigError } from "../../shared/ground/errors.ts";
import { type Config, loadConfig } from "../../shared/platform/config.ts";
import { closeDeps, type Deps, openDeps } from "../../shared/platform/deps.ts";
import { warnOfGoneVariables } from "../../shared/platform/environment/gone.ts";
import { migrate } from "../../shared/platform/process/migrate.ts";
import { readSavedSiteUrl } from "../../shared/platform/process/site-url.ts";
import { openLog } from "../../shared/platform/telemetry/log.ts";
import { hasSchema } from "../embedded/database.ts";
import { withDatabase } from "../embedded/running.ts";
import { printNotice } from "./answer.ts";

/** How the services of one command are opened. */
interface Opening {
  /** The time of the command, where it is not the present. */
  now?: () => number;
  /** Whether the command makes a database where there is none. */
  makes?: boolean;
  /** The last migration that a new database gets, where it is not the newest. */
  upTo?: string | undefined;
}

/** Runs the work of one command, which prints the returned object. */
export type RunCommand = <Answer extends object>(
  work: (deps: Deps, databaseUrl: string) => Promise<Answer>,
  options?: Opening & {
    /** Whether an answer reports a fault: it is printed, and the exit code is 1. */
    fails?: (answer: Answer) => boolean;
    /** Writes the answer for a terminal, in place of its JSON. */
    write?: ((answer: Answer) => string) | undefined;
  },
) => Promise<void>;

/** Opens the services of one command: on the running service's database, or on one started for the call. */
export async function withDeps<T>(
  work: (deps: Deps, databaseUrl: string) => Promise<T>,
  { now, makes = false, upTo }: Opening = {},
): Promise<T> {
  const config = loadConfig(process.env);
  warnOfGoneVariables(process.env, printNotice);
  return await withDatabase(
    config,
    async (databaseUrl) => {
      if (!makes && !(await hasSchema(databaseUrl))) throw describeEmpty(config);
      // The service may run the version before, which the other migrations would stop.
      await migrate(databaseUrl, { onlyExpand: !makes, upTo });
      return await withOpenDeps(config, databaseUrl, work, now);
    },
    { makes },
  );
}

/** Opens the services of one command on a given database, without starting or migrating it. */
export async function withOpenDeps<T>(
  config: Config,
  databaseUrl: string,
  work: (deps: Deps, databaseUrl: string) => Promise<T>,
  now?: () => number,
): Promise<T> {
  // Standard output belongs to the answer alone, so the log is silent.
  const log = openLog("silent", "cli");
  const deps = await openDeps(config, { databaseUrl, works: false, maxConnections: 2, log, now });
  try {
    const siteUrl = (await readSavedSiteUrl(deps)) ?? config.siteUrl;
    if (process.env.SITE_URL && siteUrl !== config.siteUrl) {
      printNotice(
        `The service was started with SITE_URL=${siteUrl}, so addresses begin with it; ` +
          `SITE_URL=${config.siteUrl} of this command is not used.`,
      );
    }
    return await work({ ...deps, config: { ...config, siteUrl } }, databaseUrl);
  } finally {
    await closeDeps(deps);
  }
}

function describeEmpty({ databaseUrl, dataDir }: Config): ConfigError {
  const place =
    databaseUrl === undefined
      ? `The database in DATA_DIR ${dataDir}`
      : `The database ${new URL(databaseUrl).pathname.slice(1)} of DATABASE_URL`;
  return new ConfigError(
    `${place} holds no service. Name the database of the service; npm start or npm run migrate makes a new one.`,
  );
}
