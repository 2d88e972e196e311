import { setTimeout as delay } from "node:timers/promises";
import { watchNpm } from "./watch-npm.ts";

const GRACE_MS = 4000;
/** As long as a process takes to stop that nobody presses. */
const AFTER_NPM_MS = 11_000;

/**
 * Ends this process, gracefully at first, once its parent has gone: the supervisor, which closes standard input (under
 * BROADSHEET_PARENT_PIPE=1), or npm, which ran it.
 */
export function exitWithParent(env: NodeJS.ProcessEnv = process.env): void {
  if (env.BROADSHEET_PARENT_PIPE !== "1") return void watchNpm(() => void endSoon(AFTER_NPM_MS));
  // A killed parent cannot send a signal, but the kernel closes its end of the pipe.
  process.stdin.once("close", () => void endSoon());
  process.stdin.once("error", () => process.stdin.destroy());
  process.stdin.resume();
}

async function endSoon(graceMs = GRACE_MS): Promise<void> {
  process.kill(process.pid, "SIGHUP");
  await delay(graceMs, undefined, { ref: false });
  process.exit(1);
}
