import type { ReadCountOfWork, ReadForm } from "../../../sql/reading/read-counts.ts";
import { DAY_MS, toUtcDay } from "../../ground/times.ts";

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

/** The counts that a process has added up and not written yet. */
export interface Tally {
  add(read: CountedRead, isRobot: boolean, nowMs: number): void;
  /** How many works and days it holds. */
  size(): number;
  /** Reads that found no room since the last `take`. */
  dropped(): number;
  /** Every count, and from then on none. */
  take(): ReadCountOfWork[];
}

/** The counts of a work on a day: for each form those of people, then those of robots. */
type Counts = number[];

const PLACES: Readonly<Record<ReadForm, number>> = { page: 0, markdown: 2, json: 4, rows: 6, download: 8 };

/** Opens the counts of a process, with room for so many works and days. */
export function openTally(room: number): Tally {
  let days = new Map<number, Map<string, Counts>>();
  let size = 0;
  let dropped = 0;
  // Reads come in the order of time, so the day is nearly always that of the read before.
  let today: { day: number; works: Map<string, Counts> } | null = null;
  const worksOf = (nowMs: number) => {
    const day = Math.floor(nowMs / DAY_MS);
    if (today?.day === day) return today.works;
    const works = days.get(day) ?? new Map<string, Counts>();
    days.set(day, works);
    today = { day, works };
    return works;
  };
  return {
    add({ creationIds, form }, isRobot, nowMs) {
      const works = worksOf(nowMs);
      const place = PLACES[form] + (isRobot ? 1 : 0);
      for (const id of creationIds) {
        const known = works.get(id);
        if (known !== undefined) known[place] = (known[place] ?? 0) + 1;
        else if (size >= room) dropped++;
        else {
          const counts: Counts = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
          counts[place] = 1;
          works.set(id, counts);
          size++;
        }
      }
    },
    size: () => size,
    dropped: () => dropped,
    take() {
      const taken = [...days].flatMap(([day, works]) => listCounts(toUtcDay(day * DAY_MS), works));
      days = new Map();
      [size, dropped, today] = [0, 0, null];
      return taken;
    },
  };
}

function listCounts(day: string, works: ReadonlyMap<string, Counts>): ReadCountOfWork[] {
  return [...works].flatMap(([creation_id, counts]) =>
    READ_FORMS.flatMap((form) => {
      const [readers = 0, robots = 0] = counts.slice(PLACES[form], PLACES[form] + 2);
      return readers + robots === 0 ? [] : [{ creation_id, day, form, readers, robots }];
    }),
  );
}
