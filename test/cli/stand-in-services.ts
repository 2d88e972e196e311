import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { choosePort } from "../../cli/embedded/port.ts";
import { type PreparedDataFolder, prepareDataFolder } from "../support/data-folder.ts";
import { findOrphans, type ServiceProcess, startProcess } from "../support/service-process.ts";

export const SERVICE = join(import.meta.dirname, "fixtures", "service.ts");

/** A data folder for the tests of a file and a port for each; what a test starts ends with it and leaves nothing. */
export function prepareServices() {
  const place = { dataDir: "", port: 0 };
  const started: ServiceProcess[] = [];
  let folder: PreparedDataFolder;

  beforeAll(async () => {
    folder = await prepareDataFolder();
    place.dataDir = folder.path;
  });
  afterAll(() => folder.remove());

  beforeEach(async () => {
    place.port = await choosePort();
    started.length = 0;
  });

  afterEach(async () => {
    for (const { child, ended } of started) {
      child.kill("SIGKILL");
      await ended;
    }
    expect(await findOrphans(place.dataDir, [])).toEqual([]);
  });

  function start(env: NodeJS.ProcessEnv = {}): ServiceProcess {
    const service = startProcess({
      command: process.execPath,
      args: [SERVICE],
      env: { ...process.env, DATA_DIR: place.dataDir, PORT: String(place.port), ...env },
    });
    started.push(service);
    return service;
  }

  return { place, started, start };
}
