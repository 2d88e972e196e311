import { setTimeout as delay } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import type { Logger } from "pino";
import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import { heedStopSignals, STOP_SIGNALS, type StopSignal } from "./stop-signals.ts";
import { watchNpm } from "./watch-npm.ts";

/** Whoever reads the log may have stopped reading: the last line waits no longer for those before it. */
const FLUSHED_WITHIN_MS = 1_000;

/** Ends this process on a stop signal or a failure, after `stop`, within `withinMs`; at once where it is forced. */
export function endGracefully(
  { name, log, withinMs }: { name: string; log: Logger; withinMs: number },
  stop: (signal: StopSignal | null) => Promise<void>,
): void {
  let signal: StopSignal | null = null;
  const ending = closeWithGrace(
    { delay: withinMs, logger: false, skip: [...STOP_SIGNALS] },
    async ({ err }) => {
      if (err) log.fatal({ err }, `${name} stopping after a failure`);
      else log.info({ signal }, `${name} stopping`);
      await stop(signal);
      // At its exit a process writes its last lines at once, before one that is still being written.
      const flushed = new Promise<void>((resolve) => log.flush(() => resolve()));
      await withTimeout(flushed, FLUSHED_WITHIN_MS).catch(() => undefined);
      log.info(`${name} stopped`);
    },
  );
  const end = (first: StopSignal) => {
    signal = first;
    ending.close();
  };
  heedStopSignals(end, () => process.exit(1));
}

const GRACE_MS = 4000;
/** As long as a process takes to stop that nobody presses. */
const AFTER_NPM_MS = 11_000;

/**
 * Ends this process, gracefully at first, once its parent has gone: the supervisor, which closes standard input (under
 * BROADSHEET_PARENT_PIPE=1), or npm, which ran it.
 */
export function exitWithParent(): void {
  if (process.env.BROADSHEET_PARENT_PIPE !== "1") return void watchNpm(() => void endSoon(AFTER_NPM_MS));
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
