/**
 * Milliseconds of the processor that synchronous work takes, the least of some runs. For guards against work
 * that grows with the square of its input: those take seconds, so their bounds are wide, and test/bench
 * measures speed itself, beside its peers.
 */
export function leastCpuMs(work: () => void, runs = 3): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) least = Math.min(least, takeCpuMs(work));
  return least;
}

function takeCpuMs(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The bound for a text of the greatest length that the service accepts. */
export const GROWTH_BOUND_MS = 2_000;
