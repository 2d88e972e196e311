import { setTimeout as delay } from "node:timers/promises";

const GRACE_MS = 4000;

/**
 * Ends this process, gracefully at first, once its parent has gone and closed standard input (only under
 * BROADSHEET_PARENT_PIPE=1).
 */
export function exitWithParent(env: NodeJS.ProcessEnv = process.env): void {
  if (env.BROADSHEET_PARENT_PIPE !== "1") return;
  // A killed parent cannot send a signal, but the kernel closes its end of the pipe.
  process.stdin.once("close", () => void endSoon());
  process.stdin.once("error", () => process.stdin.destroy());
  process.stdin.resume();
}

async function endSoon(): Promise<void> {
  process.kill(process.pid, "SIGTERM");
  await delay(GRACE_MS, undefined, { ref: false });
  process.exit(1);
}
