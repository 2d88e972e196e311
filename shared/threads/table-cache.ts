import { LRUCache } from "lru-cache";
import type { RowsFile } from "../core/rows/plan.ts";

/**
 * What the rows reader knows of the files asked last. An inspected file never changes, so what was found stays true;
 * whether it may be read is asked at each request.
 */
export type RowsFiles = LRUCache<string, RowsFile>;

// Of text: what comes of it takes a few times as much. A file of 10,000 columns has some 500,000.
const MOST_CHARACTERS = 8_388_608;

/** Makes an empty memory of files. */
export function createRowsFiles(): RowsFiles {
  return new LRUCache({ maxSize: MOST_CHARACTERS });
}
