import { isbot } from "isbot";
import { addReadCounts, type ReadCountOfWork } from "../../../sql/reading/read-counts.ts";
import { DAY_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { type CountedRead, openTally } from "./tally.ts";

/** Whether a User-Agent says that it is a robot. */
type RobotVerdicts = (userAgent: string | undefined) => boolean;

const MOST_KNOWN = 1_000;
/** Longer texts are judged each time; a browser's has about a hundred characters. */
const LONGEST_KNOWN = 512;
/** No more is looked at: the whole 16 KiB that headers may have would take a third of a millisecond. */
const LONGEST_READ = 1_024;

/**
 * Opens the judging of User-Agents by isbot. The verdicts on the texts of late are known by heart, for that is a
 * hundred times as fast; where there are too many, all are forgotten.
 */
export function openRobotVerdicts(): RobotVerdicts {
  const known = new Map<string, boolean>();
  return (userAgent) => {
    if (userAgent === undefined) return false;
    const verdict = known.get(userAgent);
    if (verdict !== undefined) return verdict;
    const judged = isbot(userAgent.slice(0, LONGEST_READ));
    if (userAgent.length <= LONGEST_KNOWN) {
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(userAgent, judged);
    }
    return judged;
  };
}

/** Counts the reads of this process. What is added up is written by `flush`. */
export interface ReadCounter {
  /** Counts one answer. It keeps nothing of the reader but the verdict whether the User-Agent is a robot's. */
  count(read: CountedRead, userAgent: string | undefined): void;
  /**
   * Writes what was counted, or waits for the write that is under way; false where it failed, which keeps its counts for
   * the next. Never throws.
   */
  flush(): Promise<boolean>;
}

/** The works of one process between two writes: a crawler of a large site reads a few thousand in ten seconds. */
const MOST_WORKS = 20_000;
/** From here on a write begins at once. */
const MANY_WORKS = 5_000;

const WRITE_EVERY_MS = 10_000;

interface Batch {
  number: number;
  counts: readonly ReadCountOfWork[];
}

/** Opens the counting of reads of one process. */
export function openReadCounter(deps: Pick<Deps, "pool" | "log" | "now" | "newId">): ReadCounter {
  const isRobot = openRobotVerdicts();
  const tally = openTally(MOST_WORKS);
  let written = 0;
  // A write whose answer was lost may have been done: the same batch is sent again under its number, and counts once.
  let unwritten: Batch | null = null;
  let writerId: string | null = null;
  let writing: Promise<boolean> | null = null;
  const takeBatch = (): Batch | null => {
    const lost = tally.dropped();
    if (lost > 0) deps.log.warn({ reads: lost }, "too many works were read to count all their reads");
    const counts = tally.take();
    return counts.length === 0 ? null : { number: ++written, counts };
  };
  const send = async (batch: Batch) => {
    unwritten = batch;
    writerId ??= deps.newId();
    const nowMs = deps.now();
    await addReadCounts(deps.pool, { writerId, ...batch }, { nowMs, forgetBeforeMs: nowMs - DAY_MS });
    unwritten = null;
  };
  const write = async () => {
    if (unwritten !== null) await send(unwritten);
    const batch = takeBatch();
    if (batch !== null) await send(batch);
  };
  const flush = async () => {
    writing ??= write()
      .then(() => true)
      .catch((err) => {
        deps.log.warn({ err }, "the counts of reads were not written; they are kept");
        return false;
      })
      .finally(() => {
        writing = null;
      });
    return await writing;
  };
  return {
    count(read, userAgent) {
      tally.add(read, isRobot(userAgent), deps.now());
      if (tally.size() >= MANY_WORKS && writing === null && unwritten === null) void flush();
    },
    flush,
  };
}

/** Writes the counts every ten seconds until `stop`, which writes them once more. */
export function writeReads(counter: ReadCounter, everyMs = WRITE_EVERY_MS): { stop(): Promise<void> } {
  const timer = setInterval(() => void counter.flush(), everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      // A write that is under way may have begun before the last reads.
      if (await counter.flush()) await counter.flush();
    },
  };
}
