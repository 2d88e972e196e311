import type { FieldErrors } from "../../../../shared/ground/field-errors.ts";
import type { Requester } from "../../../../shared/platform/concurrency/fair-semaphore.ts";
import { decodeIndex, type ReadingIndex } from "../../../../shared/tables/inspection/reading-index.ts";
import type { FileFormat } from "../../../../shared/tables/inspection/verdict.ts";
import type { RowsOutcome } from "../../../../shared/tables/rows/page.ts";
import type { RowsFile } from "../../../../shared/tables/rows/plan.ts";
import { parseRowsQuery, type RowsLimits } from "../../../../shared/tables/rows/query.ts";
import { readRows, type Source } from "../../../../shared/tables/rows/read.ts";
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
  return readRows(sourceOf(ready.content), ready.file, parsed.query, limits, ready.index);
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
