import { isbot } from "isbot";
import { addReadCounts, type ReadCountOfWork, type ReadForm } from "../../../sql/reading/read-counts.ts";
import { DAY_MS, toUtcDay } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";

/** No more is looked at: the whole 16 KiB that headers may have would take a third of a millisecond. */
const LONGEST_READ = 1_024;

/** Whether a User-Agent says that it is a robot. */
export function isRobot(userAgent: string | undefined): boolean {
  return userAgent !== undefined && isbot(userAgent.slice(0, LONGEST_READ));
}

/** Counts the reads of this process. What is added up is written by `flush`. */
export type ReadCounter = ReturnType<typeof openReadCounter>;

const WRITE_EVERY_MS = 10_000;

interface Batch {
  number: number;
  counts: readonly ReadCountOfWork[];
}

/** Opens the counting of reads of one process. */
export function openReadCounter(deps: Pick<Deps, "pool" | "log" | "now" | "newId">) {
  const tally = openTally();
  let written = 0;
  // A write whose answer was lost may have been done: the same batch is sent again under its number, and counts once.
  let unwritten: Batch | null = null;
  let writerId: string | null = null;
  let writing: Promise<boolean> | null = null;
  const send = async (batch: Batch) => {
    unwritten = batch;
    writerId ??= deps.newId();
    const nowMs = deps.now();
    await addReadCounts(deps.pool, { writerId, ...batch }, { nowMs, forgetBeforeMs: nowMs - DAY_MS });
    unwritten = null;
  };
  const write = async () => {
    if (unwritten !== null) await send(unwritten);
    const counts = tally.take();
    if (counts.length > 0) await send({ number: ++written, counts });
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
    /** Counts one answer. It keeps nothing of the reader but the verdict whether the User-Agent is a robot's. */
    count(read: CountedRead, userAgent: string | undefined) {
      tally.add(read, isRobot(userAgent), deps.now());
    },
    /**
     * Writes what was counted, or waits for the write that is under way; false where it failed, which keeps its counts for
     * the next. Never throws.
     */
    flush,
  };
}

/** Writes the counts every ten seconds until `stop`, which writes them once more. */
export function writeReads(counter: ReadCounter): { stop(): Promise<void> } {
  const timer = setInterval(() => void counter.flush(), WRITE_EVERY_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      // A write that is under way may have begun before the last reads.
      if (await counter.flush()) await counter.flush();
    },
  };
}

/** The forms in which a work is read, in the order of the answers. */
export const READ_FORMS = [
  "page",
  "markdown",
  "json",
  "rows",
  "download",
] as const satisfies readonly ReadForm[];

/** The works that an answer is of, and its form. */
export interface CountedRead {
  creationIds: readonly string[];
  form: ReadForm;
}

/** Opens the counts that a process has added up and not written yet. */
export function openTally() {
  const works = new Map<string, ReadCountOfWork[]>();
  const addOne = (creation_id: string, form: ReadForm, isRobot: boolean, day: string) => {
    const key = `${day} ${creation_id}`;
    const counts =
      works.get(key) ?? READ_FORMS.map((name) => ({ creation_id, day, form: name, readers: 0, robots: 0 }));
    works.set(key, counts);
    for (const count of counts) if (count.form === form) count[isRobot ? "robots" : "readers"]++;
  };
  return {
    add({ creationIds, form }: CountedRead, isRobot: boolean, nowMs: number) {
      const day = toUtcDay(nowMs);
      for (const id of creationIds) addOne(id, form, isRobot, day);
    },
    /** Every count, and from then on none. */
    take() {
      const taken = [...works.values()].flat().filter(({ readers, robots }) => readers + robots > 0);
      works.clear();
      return taken;
    },
  };
}
