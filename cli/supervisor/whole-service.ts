import { makeKeys } from "../../shared/identity/credentials/key-files.ts";
import type { Config } from "../../shared/platform/config.ts";
import { migrate } from "../../shared/platform/process/migrate.ts";
import { makeFirstLogKey } from "../../shared/trust/transparency-log/operate-log.ts";
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
