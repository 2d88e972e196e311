import { LRUCache } from "lru-cache";
import { sha256 } from "../../ground/checksum.ts";
import { diffWholeLines, type TextDiff } from "../../tables/differences/diff-texts.ts";
import { createFairSemaphore } from "../concurrency/fair-semaphore.ts";
import { currentRequester, waitWithoutPlace } from "../concurrency/places.ts";
import { unlessOverrun } from "./pool.ts";
import type { DiffTask } from "./tasks.ts";

// In characters. The texts of two revisions never change, so neither does their diff.
const MOST_CHARACTERS = 8_388_608;

/** One at a time, by turns of those who ask. */
const TURNS = { most: 1, mostOfKey: 1, mostWaitMs: 10_000 };

/**
 * Compares texts. What was compared lately is cached, also by a request whose turn came earlier. A comparison that exceeds
 * its time or memory is of whole lines.
 */
export function openComparing(
  run: (task: DiffTask) => Promise<TextDiff>,
): (task: DiffTask) => Promise<TextDiff> {
  const cache = new LRUCache<string, TextDiff>({ maxSize: MOST_CHARACTERS, sizeCalculation: measure });
  const inTurn = createFairSemaphore(TURNS);
  return async (task) => {
    const name = `${sha256(task.from)} ${sha256(task.to)}`;
    const compare = async () => {
      const known = cache.get(name);
      if (known !== undefined) return known;
      const found = await unlessOverrun(run(task), () => diffWholeLines(task.from, task.to));
      cache.set(name, found);
      return found;
    };
    return cache.get(name) ?? (await waitWithoutPlace(() => inTurn(currentRequester(), compare)));
  };
}

function measure({ hunks, shown }: TextDiff): number {
  const pieces = shown.flatMap((hunk) => hunk.pieces);
  return 1_024 + hunks.length + pieces.reduce((sum, { text }) => sum + text.length + 64, 0);
}
