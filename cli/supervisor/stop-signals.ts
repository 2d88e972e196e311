import { heedStopSignals } from "../../shared/platform/process/stop-signals.ts";
import { watchNpm } from "../../shared/platform/process/watch-npm.ts";

/** A stop request, as an abort signal. */
export interface StopListener {
  signal: AbortSignal;
  close(): void;
}

/** Listens for SIGTERM, Ctrl-C, a closed terminal and the death of npm; a second signal calls onForce. */
export async function listenForStop(onForce: () => void): Promise<StopListener> {
  const stopping = new AbortController();
  const signals = heedStopSignals(() => stopping.abort(), onForce);
  // The reader of our output may leave before we do.
  process.stdout.on("error", () => undefined);
  const stopLooking = await watchNpm(() => stopping.abort());
  return {
    signal: stopping.signal,
    close: () => {
      signals.close();
      stopLooking();
    },
  };
}
