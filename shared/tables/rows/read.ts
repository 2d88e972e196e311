import { inspectFile } from "../inspection/inspect.ts";
import { decodeIndex, type IndexedTable, type ReadingIndex } from "../inspection/reading-index.ts";
import type { FileFormat } from "../inspection/verdict.ts";
import type { RowsPlan } from "./plan.ts";

/** The bytes of a file, or those of a range of it (both ends included). */
export type Source = (range?: { start: number; end: number }) => AsyncIterable<Uint8Array>;

/** Builds the index of a file whose inspection made none. */
export async function buildIndex(
  source: AsyncIterable<Uint8Array>,
  format: FileFormat,
): Promise<ReadingIndex> {
  const verdict = await inspectFile(source, format);
  const index = verdict.ok && verdict.readingIndex !== null ? decodeIndex(verdict.readingIndex) : null;
  if (index === null) throw new Error("a file that passed inspection does not any more");
  return index;
}

/** The places of the queried table. */
export function findIndexedTable(index: ReadingIndex, plan: Pick<RowsPlan, "position">): IndexedTable {
  const found = index.tables.find((table) => table.position === plan.position);
  if (found === undefined) throw new Error("the reading index knows no such table");
  return found;
}

/** Fills a buffer, which has room for one byte more, with a file's bytes and a line feed, by which readers stop. */
export async function collectBytes(source: AsyncIterable<Uint8Array>, into: Buffer): Promise<Buffer> {
  let length = 0;
  for await (const chunk of source) {
    if (length + chunk.length >= into.length) throw new Error("a stored file is longer than its row says");
    into.set(chunk, length);
    length += chunk.length;
  }
  into.fill(LINE_FEED, length);
  return into;
}

const LINE_FEED = 0x0a;
