/** Runs the works of one key once at a time: whoever asks while one is under way gets its result. */
export type SingleFlight<Result> = (key: string, work: () => Promise<Result>) => Promise<Result>;

/** Makes a single flight; no result is remembered once it is there. */
export function createSingleFlight<Result>(): SingleFlight<Result> {
  const underWay = new Map<string, Promise<Result>>();
  return (key, work) => {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const started = work().finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };
}
