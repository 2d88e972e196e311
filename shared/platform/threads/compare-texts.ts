import { LRUCache } from "lru-cache";
import { sha256 } from "../../ground/checksum.ts";
import { diffWholeLines, type TextDiff } from "../../tables/differences/diff-texts.ts";
import { createFairFlight } from "../concurrency/fair-flight.ts";
import { createFairSemaphore, type Requester } from "../concurrency/fair-semaphore.ts";
import { unlessOverrun } from "./pool.ts";
import type { DiffTask } from "./tasks.ts";

// In characters. The texts of two revisions never change, so neither does their diff.
const MOST_CHARACTERS = 8_388_608;
const MOST_WAIT_MS = 10_000;

/**
 * Compares texts, so many at once, each in its requester's turn. Concurrent requests for one pair share one comparison,
 * and what was compared lately is cached. A comparison that exceeds its time or memory is of whole lines.
 */
export function openComparing(
  run: (task: DiffTask) => Promise<TextDiff>,
  most: number,
): (task: DiffTask, requester?: Requester) => Promise<TextDiff> {
  const cache = new LRUCache<string, TextDiff>({ maxSize: MOST_CHARACTERS, sizeCalculation: measure });
  const inTurn = createFairSemaphore({ most, mostOfKey: most, mostWaitMs: MOST_WAIT_MS });
  const once = createFairFlight<TextDiff>(inTurn);
  return async (task, requester) => {
    const name = `${sha256(task.from)} ${sha256(task.to)}`;
    const known = cache.get(name);
    if (known !== undefined) return known;
    const compare = () => unlessOverrun(run(task), () => diffWholeLines(task.from, task.to));
    const found = await once(requester ?? null, name, compare);
    cache.set(name, found);
    return found;
  };
}

function measure({ hunks, shown }: TextDiff): number {
  const pieces = shown.flatMap((hunk) => hunk.pieces);
  return 1_024 + hunks.length + pieces.reduce((sum, { text }) => sum + text.length + 64, 0);
}
