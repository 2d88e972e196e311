import { PerformanceObserver, performance } from "node:perf_hooks";

/** What one turn of the event loop took of the processor, in milliseconds. */
interface Turn {
  beganAt: number;
  endedAt: number;
  ms: number;
}

const ROUNDS = 3;
const SHORT_MS = 5;

/**
 * The longest turn of the event loop while something is done, in milliseconds of this thread's processor time without
 * garbage collection: the least of three rounds, of which the first that takes less than `enoughMs` settles it. No task
 * is longer than its turn.
 */
export async function findLongestTask(act: () => Promise<unknown>, enoughMs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && least >= enoughMs; round++)
    least = Math.min(least, await measureLongest(act));
  return least;
}

async function measureLongest(act: () => Promise<unknown>): Promise<number> {
  const turns: Turn[] = [];
  const pauses: { startTime: number; duration: number }[] = [];
  const observer = new PerformanceObserver((list) => void pauses.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  let isDone = false;
  let before = { at: performance.now(), used: process.threadCpuUsage() };
  const look = () => {
    const { user, system } = process.threadCpuUsage(before.used);
    const now = { at: performance.now(), used: process.threadCpuUsage() };
    const ms = (user + system) / 1000;
    if (ms > SHORT_MS) turns.push({ beganAt: before.at, endedAt: now.at, ms });
    before = now;
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  await act();
  isDone = true;
  // Entries of a collection come a little later than it.
  await new Promise((resolve) => setTimeout(resolve, 5));
  observer.disconnect();
  return Math.max(0, ...turns.map((turn) => withoutPauses(turn, pauses)));
}

function withoutPauses(
  { beganAt, endedAt, ms }: Turn,
  pauses: readonly { startTime: number; duration: number }[],
) {
  const within = pauses.filter(({ startTime }) => startTime >= beganAt && startTime < endedAt);
  return within.reduce((left, { duration }) => left - duration, ms);
}
