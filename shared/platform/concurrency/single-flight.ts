import { waitWithoutPlace } from "./places.ts";

/** Runs one work of a key at a time: calls during a run get its result. */
export type SingleFlight<Result> = (key: string, work: () => Promise<Result>) => Promise<Result>;

/** Makes a single flight; it caches no result after the run. */
export function createSingleFlight<Result>(): SingleFlight<Result> {
  const underWay = new Map<string, Promise<Result>>();
  return (key, work) => {
    const known = underWay.get(key);
    if (known !== undefined) return waitWithoutPlace(() => known);
    const started = work().finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };
}
