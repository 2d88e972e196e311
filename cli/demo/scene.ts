import { type Config, loadConfig } from "../../shared/platform/config.ts";
import { makeTemporaryDataFolder } from "../embedded/data-folder.ts";
import { choosePort } from "../embedded/port.ts";

/** The play's own environment, and whether its data folder goes away afterwards. */
export interface Scene {
  env: NodeJS.ProcessEnv;
  config: Config;
  temporary: boolean;
}

/** Makes a data folder and a free port, unless DATA_DIR and PORT name them; throws a Refusal or ConfigError. */
export async function setScene(given: NodeJS.ProcessEnv): Promise<Scene> {
  loadConfig(given);
  const port = given.PORT || String(await choosePort());
  const temporary = !given.DATA_DIR;
  const env: NodeJS.ProcessEnv = {
    ...given,
    PORT: port,
    SITE_URL: given.SITE_URL || `http://localhost:${port}`,
    DATA_DIR: given.DATA_DIR || (await makeTemporaryDataFolder("broadsheet-demo-")),
    // Never a database or a file store that somebody works with.
    DATABASE_URL: undefined,
    FILES_URL: undefined,
  };
  return { env, config: loadConfig(env), temporary };
}
