import { inspectFile } from "../inspection/inspect.ts";
import { decodeIndex, type IndexedTable, type ReadingIndex } from "../inspection/reading-index.ts";
import type { FileFormat } from "../inspection/verdict.ts";
import { findWindow, type RowsOutcome, readMatchingPage, readPlainPage } from "./page.ts";
import { planRows, type RowsFile, type RowsPlan } from "./plan.ts";
import type { RowsLimits, RowsQuery } from "./query.ts";

/** The bytes of a file, or those of a range of it (both ends included). */
export type Source = (range?: { start: number; end: number }) => AsyncIterable<Uint8Array>;

/**
 * Reads the asked rows of a file that passed inspection (spec: Rows reader; contract 5 L). A page without conditions
 * reads its own bytes only; without an index the file is gone through once before.
 */
export async function readRows(
  source: Source,
  file: RowsFile,
  query: RowsQuery,
  limits: RowsLimits,
  index: ReadingIndex | null = null,
): Promise<RowsOutcome> {
  const plan = planRows(file, query, limits);
  if (!plan.ok) return plan;
  const table = findIndexedTable(index ?? (await buildIndex(source(), file.format)), plan);
  if (plan.query.filters.length > 0) {
    const bytes = await collectBytes(source(), Buffer.alloc(file.bytes + 1));
    return readMatchingPage(plan, table.offsets[0] ?? 0, bytes, null).outcome;
  }
  const window = findWindow(plan, table);
  const range = { start: window.start, end: window.end - 1 };
  const room = Buffer.alloc(window.end - window.start + 1);
  return readPlainPage(
    plan,
    window,
    window.rowCount === 0 ? room : await collectBytes(source(range), room),
    0,
  );
}

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
