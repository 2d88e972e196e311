import type { Deps } from "../deps.ts";

type Reading = Pick<Deps, "pool" | "now">;

/** Something that other processes and commands change, and that this process knows by heart. */
export interface PolledState {
  /** As the log calls it. */
  name: string;
  /** Reads it as it is now. */
  refresh(deps: Reading): Promise<void>;
}

const EVERY_MS = 2_000;

/** Reads all of these now and every two seconds; while the database is away, what was read last holds. */
export async function pollState(
  deps: Reading & Pick<Deps, "log">,
  all: readonly PolledState[],
  everyMs = EVERY_MS,
): Promise<{ close(): void }> {
  const failing = new Set<PolledState>();
  const readAgain = async (one: PolledState) => {
    try {
      await one.refresh(deps);
      failing.delete(one);
    } catch (err) {
      if (!failing.has(one)) deps.log.warn({ err, followed: one.name }, "not read; what was read last holds");
      failing.add(one);
    }
  };
  // One after the other, so that they take one connection from the requests, and not one each.
  for (const one of all) await one.refresh(deps);
  let isReading = false;
  const timer = setInterval(async () => {
    if (isReading) return;
    isReading = true;
    for (const one of all) await readAgain(one);
    isReading = false;
  }, everyMs).unref();
  return { close: () => clearInterval(timer) };
}
