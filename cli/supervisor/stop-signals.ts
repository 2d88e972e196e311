import { watchNpm } from "../../shared/platform/process/watch-npm.ts";

/** Under npm one Ctrl-C arrives twice: from the terminal and, shortly after, from npm. */
const SAME_WISH_MS = 1000;

/** A stop request, as an abort signal. */
export interface StopListener {
  signal: AbortSignal;
  close(): void;
}

/** Listens for SIGTERM, Ctrl-C, a closed terminal and the death of npm; a second signal calls onForce. */
export async function listenForStop(onForce: () => void): Promise<StopListener> {
  const stopping = new AbortController();
  let firstAt: number | null = null;
  const heed = () => {
    if (firstAt === null) {
      firstAt = performance.now();
      stopping.abort();
    } else if (performance.now() - firstAt > SAME_WISH_MS) onForce();
  };
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, heed);
  // The reader of our output may leave before we do.
  process.stdout.on("error", () => undefined);
  const stopLooking = await watchNpm(() => stopping.abort());
  return {
    signal: stopping.signal,
    close: () => {
      for (const signal of signals) process.off(signal, heed);
      stopLooking();
    },
  };
}
