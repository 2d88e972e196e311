/** The bound for a text of the greatest length that the service accepts. */
export const GROWTH_BOUND_MS = 2_000;
const MOST_RUNS = 3;

/**
 * Milliseconds of the processor that synchronous work takes, the least of three runs; the first run that takes less
 * than `enoughMs` settles it. For guards against work that grows with the square of its input: those take seconds, so
 * their bounds are wide, and test/bench measures speed itself, beside its peers.
 */
export function leastCpuMs(work: () => void, enoughMs = GROWTH_BOUND_MS): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < MOST_RUNS && least >= enoughMs; run++) least = Math.min(least, takeCpuMs(work));
  return least;
}

/** The same for work that waits, with what its last run gave. */
export async function leastCpuMsOf<Result>(
  work: () => Promise<Result>,
  enoughMs = GROWTH_BOUND_MS,
): Promise<{ result: Result; ms: number }> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 1; ; run++) {
    const start = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
    if (least < enoughMs || run === MOST_RUNS) return { result, ms: least };
  }
}

function takeCpuMs(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
