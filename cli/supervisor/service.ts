import { join } from "node:path";
import { makeKeys } from "../../shared/identity/credentials/key-files.ts";
import type { Config } from "../../shared/platform/config.ts";
import { withoutGoneVariables } from "../../shared/platform/environment/gone.ts";
import { explainDatabaseFault } from "../../shared/platform/process/explain-failure.ts";
import { migrate } from "../../shared/platform/process/migrate.ts";
import { makeFirstLogKey } from "../../shared/trust/transparency-log/operate-log.ts";
import { refuseToRun } from "../refusal.ts";
import type { ChildCommand } from "./child.ts";
import type { ServiceOptions } from "./supervisor.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** What Node runs as an API process. */
export const API_COMMAND: readonly string[] = [join(ROOT, "api", "main.ts")];

/** What Node runs as a process of workers. */
export const WORKERS_COMMAND: readonly string[] = [join(ROOT, "workers", "main.ts")];

/** The processes of a one-machine service, in the order in which they stop. */
const CHILDREN: readonly ChildCommand[] = [
  { name: "API", args: API_COMMAND },
  { name: "workers", args: WORKERS_COMMAND },
];

/** The options of the whole service on this machine, for the supervisor. */
export function wholeService(config: Config, env: NodeJS.ProcessEnv = process.env): ServiceOptions {
  return {
    config,
    children: CHILDREN,
    migrate: (databaseUrl) => prepareDatabase(config, databaseUrl),
    // One process does all work here: a slow file must not hold up the next one. There is no balancer, so no notice of
    // a stop is needed. `npm start` makes the first owner itself and prints what that owner needs.
    env: {
      WORKER_CONCURRENCY: "2",
      STOP_NOTICE_MS: "0",
      ...withoutGoneVariables(env),
      FIRST_OWNER_EMAIL: "",
    },
  };
}

/** Makes the keys of the service, and brings its database to the newest schema. */
export async function prepareDatabase(config: Config, databaseUrl: string): Promise<void> {
  await makeKeys(config);
  try {
    await migrate(databaseUrl);
    await makeFirstLogKey(config, databaseUrl);
  } catch (error) {
    // Of a database of our own DATABASE_URL says nothing.
    const sentence = config.databaseUrl === undefined ? null : explainDatabaseFault(error);
    throw sentence === null ? error : refuseToRun(sentence);
  }
}
