import { LRUCache } from "lru-cache";
import type { Requester } from "../concurrency/fair-semaphore.ts";
import type { FoundDiff } from "../core/diff/diff-tables.ts";
import { type DiffAsked, type DiffLimits, type DiffPlan, planDiff } from "../core/diff/plan-diff.ts";
import type { RowsFile, RowsRefusal } from "../core/rows/plan.ts";
import { findIndexedTable } from "../core/rows/read.ts";
import { isOverrun } from "./pool.ts";
import type { RunQuestion } from "./question-runner.ts";
import type { TableReader } from "./table-reader.ts";
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
}

type Source = Pick<TableReader, "loadIndex" | "fetchWhole">;

/** Opens the comparison of files of one process; the cache takes so many bytes. */
export function openTableDiffReader(run: RunQuestion, source: Source, cacheBytes: number): TableDiffReader {
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
  return { find };
}

function nameOf({ base, head }: DiffOfFiles, { key, preferredKey, ...plan }: DiffPlan): string {
  return JSON.stringify([base.key, plan.base.position, head.key, plan.head.position, key, preferredKey]);
}

async function findInThread(
  run: RunQuestion,
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
