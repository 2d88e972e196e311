import { join } from "node:path";
import type { Config } from "../../shared/config.ts";
import { migrate } from "../../shared/process/migrate.ts";
import type { ChildCommand } from "./child.ts";
import type { ServiceOptions } from "./supervisor.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The processes of a one-machine service, in the order in which they stop. */
const CHILDREN: readonly ChildCommand[] = [
  { name: "API", args: [join(ROOT, "api", "main.ts")] },
  { name: "workers", args: [join(ROOT, "workers", "main.ts")] },
];

/** The options of the whole service on this machine, for the supervisor. */
export function wholeService(config: Config, env: NodeJS.ProcessEnv = process.env): ServiceOptions {
  // One process does all work here: a slow file must not hold up the next one. There is no balancer, so no
  // notice of a stop is needed.
  return {
    config,
    children: CHILDREN,
    migrate,
    env: { WORKER_CONCURRENCY: "2", STOP_NOTICE_MS: "0", ...env },
  };
}
