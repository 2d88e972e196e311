import { join } from "node:path";
import { withoutGoneVariables } from "../../shared/platform/environment/gone.ts";
import type { ChildCommand } from "./child.ts";
import type { ServiceOptions } from "./supervisor.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/**
 * What Node runs as an API process. V8's young generation grows to 96 MB of its own accord, and a flood of requests
 * fills it: with halves of 16 MB a process stays under 300 MB.
 */
export const API_COMMAND: readonly string[] = ["--max-semi-space-size=16", join(ROOT, "api", "main.ts")];

/**
 * What Node runs as a process of workers. Its main thread waits for the database and for threads, which have a young
 * generation of their own: with halves of 2 MB the process takes 40 MB less at rest.
 */
export const WORKERS_COMMAND: readonly string[] = [
  "--max-semi-space-size=2",
  join(ROOT, "workers", "main.ts"),
];

/** The processes of a one-machine service, in the order in which they stop. */
const CHILDREN: readonly ChildCommand[] = [
  { name: "API", args: API_COMMAND },
  { name: "workers", args: WORKERS_COMMAND },
];

/** The options of the whole service on this machine, for the supervisor. */
export function serviceOf(
  config: ServiceOptions["config"],
  migrate: ServiceOptions["migrate"],
  env: NodeJS.ProcessEnv = process.env,
): ServiceOptions {
  return {
    config,
    children: CHILDREN,
    migrate,
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
