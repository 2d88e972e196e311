import type { Config } from "../../shared/config.ts";
import { makeKeys } from "../../shared/credentials/key-files.ts";
import { makeFirstLogKey } from "../../shared/log/operate-log.ts";
import { migrate } from "../../shared/process/migrate.ts";
import { serviceOf } from "./service.ts";
import type { ServiceOptions } from "./supervisor.ts";

/** The options of the whole service on this machine, which this process migrates itself. */
export function wholeService(config: Config, env: NodeJS.ProcessEnv = process.env): ServiceOptions {
  return serviceOf(config, (databaseUrl) => prepareDatabase(config, databaseUrl), env);
}

/** Makes the keys of the service, and brings its database to the newest schema. */
export async function prepareDatabase(config: Config, databaseUrl: string): Promise<unknown> {
  await makeKeys(config);
  const migrated = await migrate(databaseUrl);
  await makeFirstLogKey(config, databaseUrl);
  return migrated;
}
