import type { MeasuredFile } from "../../tables/statistics/measure-file.ts";
import { type IdleGate, openIdleTurns } from "../concurrency/idle-gate.ts";
import { createSingleFlight } from "../concurrency/single-flight.ts";
import type { Background } from "./background.ts";
import { isOverrun, runBounded } from "./pool.ts";
import type { MeasureTask } from "./tasks.ts";

// Statistics take ten times as long as an inspection. They begin where no upload waits for a verdict, or
// after a minute, and run at low priority, so they may take long, and their timeout allows it.
export const MEASURING_WAIT = { restMs: 200, mostMs: 60_000 };

/** Measures tables behind their upload. */
export interface Measuring {
  /**
   * The statistics; null over their time or memory. A file that several callers request is measured
   * once.
   */
  measure(task: MeasureTask): Promise<MeasuredFile | null>;
}

/** Opens the statistics, which begin while no upload waits, or after a minute. */
export function openMeasuring({ pool, inOrder, timeoutMs }: Background, idleGate: IdleGate): Measuring {
  const inIdleOrder = openIdleTurns(inOrder, idleGate, MEASURING_WAIT.mostMs);
  const once = createSingleFlight<MeasuredFile | null>();
  const measure = async (task: MeasureTask): Promise<MeasuredFile | null> => {
    const stats = await runBounded<MeasuredFile>(pool, { name: "measureStored", task }, timeoutMs);
    return isOverrun(stats) ? null : stats;
  };
  return {
    measure: (task) => once(task.key, () => inIdleOrder(() => measure(task))),
  };
}
