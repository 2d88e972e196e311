import type { FieldErrors } from "../../../../shared/ground/errors.ts";
import type { Requester } from "../../../../shared/platform/concurrency/places.ts";
import { decodeIndex, type ReadingIndex } from "../../../../shared/tables/inspection/reading-index.ts";
import type { FileFormat } from "../../../../shared/tables/inspection/verdict.ts";
import {
  type RowsOutcome,
  type RowsPage,
  readPage,
  writeRowsAnswer,
} from "../../../../shared/tables/rows/page.ts";
import { planRows, type RowsFile, type RowsPlan } from "../../../../shared/tables/rows/plan.ts";
import { parseRowsQuery, type RowsLimits, type RowsQuery } from "../../../../shared/tables/rows/query.ts";
import {
  buildIndex,
  cutWindows,
  findIndexedTable,
  openTable,
  type ReadTable,
  type Source,
} from "../../../../shared/tables/rows/windows.ts";
import { inspectAccepted, streamOnce } from "../inspection/sources.ts";

export const LIMITS: RowsLimits = {
  rowsPerCall: 500,
  rowsResponseBytes: 1_000_000,
  jsonTableBytes: 5_000_000,
};

/** Somebody who waits for every answer. */
export const READER: Requester = { key: "reader", signal: new AbortController().signal };

/** A file as the rows reader meets it: bytes, and what inspection said of them. */
export interface ReadyFile {
  content: Buffer;
  file: RowsFile;
  index: ReadingIndex | null;
}

/** Bytes as the file store gives them: all, or a range with both ends included. */
export function sourceOf(content: Buffer): Source {
  return (range) => streamOnce(range === undefined ? content : content.subarray(range.start, range.end + 1));
}

export async function prepareFile(content: string | Buffer, format: FileFormat): Promise<ReadyFile> {
  const bytes = Buffer.from(content);
  const { inspection, tables, readingIndex } = await inspectAccepted(bytes, format);
  const index = readingIndex === null ? null : decodeIndex(readingIndex);
  return { content: bytes, file: { format, inspection, tables, bytes: bytes.length }, index };
}

/** Opens the reading of a prepared file's tables, so many bytes in memory at a time: as a rule a place of the index. */
export function openTables({ content, index }: Pick<ReadyFile, "content" | "index">, bytes = SMALL_WINDOW) {
  return (table: { position: number | null }): ReadTable => {
    if (index === null) throw new Error("a file without tables");
    const read = openTable(sourceOf(content), Buffer.alloc, findIndexedTable(index, table));
    return (most = { bytes }) => read(most);
  };
}

/** So few bytes that every place of an index begins a window. */
export const SMALL_WINDOW = 1;
export const LARGE_WINDOW = 4_194_304;

/** The page of a plan, whose table is read window after window. */
export async function readPlanned(
  { content, file, index }: ReadyFile,
  plan: RowsPlan,
  windowBytes = LARGE_WINDOW,
): Promise<RowsPage> {
  const source = sourceOf(content);
  const table = findIndexedTable(index ?? (await buildIndex(source(), file.format)), plan);
  return await readPage(plan, cutWindows(plan, table, windowBytes), { bytes: null, source });
}

/** Reads the asked rows of a prepared file. */
export async function readRows(
  ready: ReadyFile,
  query: RowsQuery,
  limits: RowsLimits,
  windowBytes?: number,
): Promise<RowsOutcome> {
  const plan = planRows(ready.file, query, limits);
  return plan.ok ? writeRowsAnswer(plan, await readPlanned(ready, plan, windowBytes)) : plan;
}

/** The answer's JSON as text. */
export function readJson({ json }: { json: Uint8Array }): string {
  return Buffer.from(json).toString();
}

/** An answer whose JSON is text, to compare. */
export function asText(outcome: RowsOutcome) {
  return outcome.ok ? { ...outcome, json: readJson(outcome) } : outcome;
}

/** Asks a prepared file, with the query as it stands in an address. */
export async function ask(
  ready: ReadyFile,
  query: string,
  limits: RowsLimits = LIMITS,
): Promise<RowsOutcome> {
  const parsed = parseRowsQuery(new URLSearchParams(query), limits);
  if (!parsed.ok) return { ok: false, code: "validation_failed", message: "", errors: parsed.errors };
  return readRows(ready, parsed.query, limits);
}

export interface RowsData {
  columns: string[];
  rows: unknown[][];
  returned: number;
  matched: number;
  total: number;
  next_offset: number | null;
}

/** The `data` of an accepted question. */
export async function askData(
  ready: ReadyFile,
  query: string,
  limits: RowsLimits = LIMITS,
): Promise<RowsData> {
  const outcome = await ask(ready, query, limits);
  if (!outcome.ok) throw new Error(`refused: ${outcome.code} ${JSON.stringify(outcome.errors)}`);
  return JSON.parse(readJson(outcome));
}

/** The code and errors of a refused question. */
export async function askRefused(
  ready: ReadyFile,
  query: string,
): Promise<{ code: string; errors: FieldErrors }> {
  const outcome = await ask(ready, query);
  if (outcome.ok) throw new Error("accepted");
  return { code: outcome.code, errors: outcome.errors };
}
