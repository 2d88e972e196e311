import { LRUCache } from "lru-cache";
import type { FoundDiff } from "../../tables/differences/diff-tables.ts";
import {
  type DiffAsked,
  type DiffLimits,
  type DiffPlan,
  planDiff,
} from "../../tables/differences/plan-diff.ts";
import type { DiffWish } from "../../tables/differences/write-change.ts";
import type { DiffExportState } from "../../tables/differences/write-diff.ts";
import type { RowsRefusal } from "../../tables/rows/plan.ts";
import type { ExportFormat } from "../../tables/rows/text-rows.ts";
import { findFirstRow } from "../../tables/rows/windows.ts";
import { currentRequester, type Requester, workFor } from "../concurrency/places.ts";
import type { RunInTurn } from "./pool.ts";
import type { DiffPageTask } from "./question-thread.ts";
import { type Loans, withLoans } from "./shared-cache.ts";

import {
  type FilesAtHand,
  lendWhole,
  loadIndex,
  type OverrunSentences,
  type RowsExport,
  refuseOverrun,
  type StoredTable,
} from "./table-reader.ts";

/** A question about two stored files. */
export interface DiffOfFiles {
  base: StoredTable;
  head: StoredTable;
  asked: DiffAsked;
  limits: DiffLimits;
}

/** What changed between two files, and the plan by which it was found. */
export interface PlannedDiff {
  ok: true;
  plan: DiffPlan;
  found: FoundDiff;
}

/** Which changes a page has. */
export type DiffPage = Pick<DiffPageTask, "wish" | "files" | "part">;

/** Which changes an export has, and how it is written. */
export interface DiffExport {
  wish: DiffWish;
  format: ExportFormat;
  offset: number;
  limit: number;
}

const OVERRUNS: OverrunSentences = {
  memory: "The comparison takes too much memory. Download both files instead.",
  time: "The comparison takes too long. Name with key[] the columns that identify a row, or download both files.",
};

/** Opens the comparison of files of one process; the cache takes so many bytes. */
export function openTableDiffReader(run: RunInTurn, files: FilesAtHand, cacheBytes: number) {
  const cache =
    cacheBytes === 0
      ? null
      : new LRUCache<string, FoundDiff>({ maxSize: cacheBytes, sizeCalculation: countBytes });
  const find = async (question: DiffOfFiles): Promise<PlannedDiff | RowsRefusal> => {
    const { base, head, asked, limits } = question;
    const plan = planDiff(base.file, head.file, asked, limits);
    if (!plan.ok) return plan;
    const name = nameOf(question, plan);
    const found = cache?.get(name) ?? (await findInThread(run, files, question, plan));
    if (!found.ok) return found;
    cache?.set(name, found);
    return { ok: true, plan, found };
  };
  const readDiff = async (question: DiffOfFiles, wanted: DiffPage) => {
    const outcome = await find(question);
    if (!outcome.ok) return outcome;
    const json = await withLoans((loans) => {
      const makeTask = async () => ({ ...wanted, ...(await gather(files, question, outcome, loans)) });
      return run("writeDiffPageInThread", makeTask);
    });
    return { ok: true as const, json };
  };
  const exportDiff = async (question: DiffOfFiles, wanted: DiffExport): Promise<RowsExport | RowsRefusal> => {
    const outcome = await find(question);
    if (!outcome.ok) return outcome;
    return { ok: true, pieces: streamPieces(run, files, question, { outcome, wanted }, currentRequester()) };
  };
  return {
    /** What changed between the tables of two files, from the cache where possible. Throws `FileMissing`. */
    diffFiles: (question: DiffOfFiles) => refuseOverrun(find(question), OVERRUNS),
    /** One page of what changed between them: the complete `data` object as JSON. Throws `FileMissing`. */
    readDiff: (question: DiffOfFiles, page: DiffPage) => refuseOverrun(readDiff(question, page), OVERRUNS),
    /** The whole of what changed between them, as text, piece by piece. Throws `FileMissing`. */
    exportDiff: (question: DiffOfFiles, wanted: DiffExport) =>
      refuseOverrun(exportDiff(question, wanted), OVERRUNS),
  };
}

async function gather(
  files: FilesAtHand,
  { base, head }: DiffOfFiles,
  { plan, found }: PlannedDiff,
  loans: Loans,
) {
  const [ofBase, ofHead] = await Promise.all([
    lendWhole(files, base.key, plan.base.bytes, loans),
    lendWhole(files, head.key, plan.head.bytes, loans),
  ]);
  return { plan, found, base: ofBase, head: ofHead };
}

/** A thread writes each piece only once the one before was taken, so a slow reader holds one piece and no thread. */
async function* streamPieces(
  run: RunInTurn,
  files: FilesAtHand,
  question: DiffOfFiles,
  { outcome, wanted }: { outcome: PlannedDiff; wanted: DiffExport },
  requester: Requester,
): AsyncGenerator<Uint8Array> {
  const { wish, format, offset, limit } = wanted;
  let state: DiffExportState = { at: 0, skip: offset, left: limit, isOver: false };
  while (!state.isOver) {
    const from = state;
    const piece = await withLoans((loans) => {
      const makeTask = async () => {
        return { ...(await gather(files, question, outcome, loans)), wish, format, state: from };
      };
      return workFor(requester, () => run("writeDiffPieceInThread", makeTask, from.at > 0));
    });
    state = piece.state;
    if (piece.text.length > 0) yield piece.text;
  }
}

function nameOf({ base, head }: DiffOfFiles, { key, preferredKey, ...plan }: DiffPlan): string {
  return JSON.stringify([base.key, plan.base.position, head.key, plan.head.position, key, preferredKey]);
}

async function findInThread(
  run: RunInTurn,
  files: FilesAtHand,
  { base, head }: DiffOfFiles,
  plan: DiffPlan,
): Promise<FoundDiff | RowsRefusal> {
  const baseAt = findFirstRow(await loadIndex(files, base), plan.base);
  const headAt = findFirstRow(await loadIndex(files, head), plan.head);
  // The files come into memory in the question's turn: questions that wait hold none of them.
  return await withLoans((loans) =>
    run("diffTablesInThread", async () => ({
      plan,
      base: { bytes: await lendWhole(files, base.key, plan.base.bytes, loans), firstRowAt: baseAt },
      head: { bytes: await lendWhole(files, head.key, plan.head.bytes, loans), firstRowAt: headAt },
    })),
  );
}

function countBytes({ kinds, bases, heads, byColumn, baseStarts, headStarts }: FoundDiff): number {
  const lists = [kinds, bases, heads, byColumn, baseStarts, headStarts];
  return lists.reduce((sum, { byteLength }) => sum + byteLength, 1_024);
}
