/** One stop may arrive twice: from the terminal or to the whole group and, shortly after, from npm. */
const SAME_WISH_MS = 1_000;
/** What asks a process to stop. */
export const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export type StopSignal = (typeof STOP_SIGNALS)[number];

/**
 * Calls `onFirst` for the first stop signal, and `onForce` for one that comes more than a second later. SIGHUP forces
 * nothing: it only tells that the terminal or npm has gone.
 */
export function heedStopSignals(
  onFirst: (signal: StopSignal) => void,
  onForce: () => void,
): { close(): void } {
  let firstAt: number | null = null;
  const heed = (signal: StopSignal) => {
    if (firstAt === null) {
      firstAt = performance.now();
      onFirst(signal);
    } else if (signal !== "SIGHUP" && performance.now() - firstAt > SAME_WISH_MS) onForce();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, heed);
  return {
    close: () => {
      for (const signal of STOP_SIGNALS) process.off(signal, heed);
    },
  };
}
