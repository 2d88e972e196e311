import closeWithGrace from "close-with-grace";
import type { Logger } from "pino";
import { heedStopSignals, STOP_SIGNALS, type StopSignal } from "./stop-signals.ts";

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
      log.info(`${name} stopped`);
    },
  );
  const end = (first: StopSignal) => {
    signal = first;
    ending.close();
  };
  heedStopSignals(end, () => process.exit(1));
}
