import { LRUCache } from "lru-cache";
import type { FoundDiff } from "../../tables/differences/diff-tables.ts";
import type { DiffWish } from "../../tables/differences/diff-view.ts";
import {
  type DiffAsked,
  type DiffLimits,
  type DiffPlan,
  planDiff,
} from "../../tables/differences/plan-diff.ts";
import type { DiffExportState, DiffPart, NamedFile } from "../../tables/differences/write-diff.ts";
import type { RowsFile, RowsRefusal } from "../../tables/rows/plan.ts";
import { findIndexedTable } from "../../tables/rows/read.ts";
import type { ExportFormat } from "../../tables/rows/text-rows.ts";
import type { Requester } from "../concurrency/fair-semaphore.ts";
import { isOverrun, type RunFor } from "./pool.ts";
import { ExportOverrun } from "./rows-export.ts";

import type { RowsExport, TableReader } from "./table-reader.ts";
import type { Overrun, TableDiffTask } from "./tasks.ts";

/** One of two compared files; `loadIndex` fetches its reading index when needed. */
export interface ComparedFile {
  key: string;
  file: RowsFile;
  loadIndex: () => Promise<Uint8Array | null>;
}

/** A question about two stored files. */
export interface DiffOfFiles {
  requester: Requester;
  base: ComparedFile;
  head: ComparedFile;
  asked: DiffAsked;
  limits: DiffLimits;
}

/** What changed between two files, and the plan by which it was found. */
export interface PlannedDiff {
  ok: true;
  plan: DiffPlan;
  found: FoundDiff;
}

/** Compares the tables of stored files. */
export interface TableDiffReader {
  /** What changed, from the cache where possible: files do not change. */
  find(question: DiffOfFiles): Promise<PlannedDiff | RowsRefusal | Overrun>;
  /** One page of what changed: the complete `data` object as JSON. */
  page(
    question: DiffOfFiles,
    page: DiffPage,
  ): Promise<{ ok: true; json: Uint8Array } | RowsRefusal | Overrun>;
  /** What changed as text in pieces. */
  export(question: DiffOfFiles, wanted: DiffExport): Promise<RowsExport | RowsRefusal | Overrun>;
}

/** Which changes a page has. */
export interface DiffPage {
  wish: DiffWish;
  files: { base: NamedFile; head: NamedFile };
  part: DiffPart;
}

/** Which changes an export has, and how it is written. */
export interface DiffExport {
  wish: DiffWish;
  format: ExportFormat;
  offset: number;
  limit: number;
}

type Source = Pick<TableReader, "loadIndex" | "fetchWhole">;

/** Opens the comparison of files of one process; the cache takes so many bytes. */
export function openTableDiffReader(run: RunFor, source: Source, cacheBytes: number): TableDiffReader {
  const cache =
    cacheBytes === 0
      ? null
      : new LRUCache<string, FoundDiff>({ maxSize: cacheBytes, sizeCalculation: countBytes });
  const find = async (question: DiffOfFiles) => {
    const { base, head, asked, limits } = question;
    const plan = planDiff(base.file, head.file, asked, limits);
    if (!plan.ok) return plan;
    const name = nameOf(question, plan);
    const found = cache?.get(name) ?? (await findInThread(run, source, question, plan));
    if (isOverrun(found) || !found.ok) return found;
    cache?.set(name, found);
    return { ok: true as const, plan, found };
  };
  const page: TableDiffReader["page"] = async (question, wanted) => {
    const outcome = await find(question);
    if (isOverrun(outcome) || !outcome.ok) return outcome;
    const makeTask = async () => ({ ...wanted, ...(await gather(source, question, outcome)) });
    const json = await run<Uint8Array>(question.requester, "writeDiffPageInThread", makeTask);
    return isOverrun(json) ? json : { ok: true, json };
  };
  return {
    find,
    page,
    export: async (question, wanted) => {
      const outcome = await find(question);
      if (isOverrun(outcome) || !outcome.ok) return outcome;
      return { ok: true, pieces: streamPieces(run, source, question, { outcome, wanted }) };
    },
  };
}

async function gather(source: Source, { base, head }: DiffOfFiles, { plan, found }: PlannedDiff) {
  const [ofBase, ofHead] = await Promise.all([
    source.fetchWhole(base.key, plan.base.bytes),
    source.fetchWhole(head.key, plan.head.bytes),
  ]);
  return { plan, found, base: ofBase, head: ofHead };
}

/** A thread writes each piece only once the one before was taken, so a slow reader holds one piece and no thread. */
async function* streamPieces(
  run: RunFor,
  source: Source,
  question: DiffOfFiles,
  { outcome, wanted }: { outcome: PlannedDiff; wanted: DiffExport },
): AsyncGenerator<Uint8Array> {
  const { wish, format, offset, limit } = wanted;
  let state: DiffExportState = { at: 0, skip: offset, left: limit, isOver: false };
  while (!state.isOver) {
    const from = state;
    const makeTask = async () => {
      return { ...(await gather(source, question, outcome)), wish, format, state: from };
    };
    const name = "writeDiffPieceInThread";
    const piece = await run<{ text: Uint8Array; state: DiffExportState }>(
      question.requester,
      name,
      makeTask,
      from.at > 0,
    );
    if (isOverrun(piece)) throw new ExportOverrun(piece);
    state = piece.state;
    if (piece.text.length > 0) yield piece.text;
  }
}

function nameOf({ base, head }: DiffOfFiles, { key, preferredKey, ...plan }: DiffPlan): string {
  return JSON.stringify([base.key, plan.base.position, head.key, plan.head.position, key, preferredKey]);
}

async function findInThread(
  run: RunFor,
  source: Source,
  { requester, base, head }: DiffOfFiles,
  plan: DiffPlan,
): Promise<FoundDiff | RowsRefusal | Overrun> {
  const places: number[] = [];
  for (const [compared, { position }] of [[base, plan.base] as const, [head, plan.head] as const]) {
    const index = await source.loadIndex({ requester, ...compared });
    if (isOverrun(index)) return index;
    places.push(findIndexedTable(index, { position }).offsets[0] ?? 0);
  }
  const [baseAt = 0, headAt = 0] = places;
  // The files come into memory in the question's turn: questions that wait hold none of them.
  return await run<FoundDiff | RowsRefusal>(requester, "diffTablesInThread", async () => {
    const task: TableDiffTask = {
      plan,
      base: { bytes: await source.fetchWhole(base.key, plan.base.bytes), firstRowAt: baseAt },
      head: { bytes: await source.fetchWhole(head.key, plan.head.bytes), firstRowAt: headAt },
    };
    return task;
  });
}

function countBytes({ kinds, bases, heads, byColumn, baseStarts, headStarts }: FoundDiff): number {
  const lists = [kinds, bases, heads, byColumn, baseStarts, headStarts];
  return lists.reduce((sum, { byteLength }) => sum + byteLength, 1_024);
}
