import { LRUCache } from "lru-cache";
import type { RowsFile } from "../../tables/rows/plan.ts";

/**
 * The table reader's facts about the files queried last. An inspected file never changes, so the facts stay
 * true; each request checks whether it may be read.
 */
export type RowsFiles = LRUCache<string, RowsFile>;

// In characters of text: the parsed objects take a few times as much. A file of 10,000 columns has some
// 500,000.
const MOST_CHARACTERS = 8_388_608;

/** Creates an empty cache of table files. */
export function createRowsFiles(): RowsFiles {
  return new LRUCache({ maxSize: MOST_CHARACTERS });
}
