import { type Config, loadConfig } from "../../shared/config.ts";
import { closeDeps, type Deps, openDeps, openLog } from "../../shared/deps.ts";
import { migrate } from "../../shared/process/migrate.ts";
import { withDatabase } from "../embedded/running.ts";

/** Runs the work of one command, which prints the returned object. */
export type RunCommand = <Answer extends object>(
  work: (deps: Deps, databaseUrl: string) => Promise<Answer>,
  options?: {
    now?: () => number;
    /** Whether an answer reports a fault: it is printed, and the exit code is 1. */
    fails?: (answer: Answer) => boolean;
  },
) => Promise<void>;

/** Opens the services of one command: on the running service's database, or on one started for the call. */
export async function withDeps<T>(
  work: (deps: Deps, databaseUrl: string) => Promise<T>,
  now?: () => number,
): Promise<T> {
  const config = loadConfig(process.env);
  return await withDatabase(config, async (databaseUrl) => {
    await migrate(databaseUrl);
    return await withOpenDeps(config, databaseUrl, work, now);
  });
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
    return await work(deps, databaseUrl);
  } finally {
    await closeDeps(deps);
  }
}
