import { type Append, findAppend } from "../../../sql/datasets/appends.ts";
import { type FileRow, listFilesOfRevision } from "../../../sql/datasets/revision-files.ts";
import { lockAgent } from "../../../sql/identity/agents.ts";
import {
  findUnfinishedComparison,
  finishComparison,
  type NewFileDiff,
  type Outcome,
  type UnfinishedRow,
} from "../../../sql/reading/file-diffs.ts";
import { lockCreation } from "../../../sql/works/creations.ts";
import { readPrimaryKey } from "../../datasets/dictionaries/check-dictionaries.ts";
import { readDictionary } from "../../datasets/uploads/public-files.ts";
import { Refusal } from "../../ground/errors.ts";
import { presentMembers } from "../../ground/present-members.ts";
import type { Deps } from "../../platform/deps.ts";
import { FileMissing } from "../../platform/files/store.ts";
import { workOff } from "../../platform/pending-work/work-off.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { pairFiles } from "../../tables/differences/pair-files.ts";
import type { RowCounts } from "../../tables/differences/row-counts.ts";
import { compareFiles } from "./compare-files.ts";
import { areComparable, hasOneTable } from "./compare-revisions.ts";

interface Pair {
  position: number;
  base: FileRow;
  head: FileRow;
}

/**
 * Counts what an update changed in the rows of its files and keeps that with its revision; running it twice or late
 * changes nothing.
 */
export async function compareUpdate(deps: Deps, threads: Threads, revisionId: string): Promise<void> {
  await workOff(deps, "compare-files", revisionId, async (isGivenUp) => {
    const unfinished = await findUnfinishedComparison(deps.pool, revisionId);
    if (unfinished !== null) await finish(deps, threads, unfinished, isGivenUp);
  });
}

async function finish(
  deps: Deps,
  threads: Threads,
  unfinished: UnfinishedRow,
  isGivenUp: boolean,
): Promise<void> {
  const found: NewFileDiff[] = [];
  // One after the other: no reader waits, and a work may have many large files.
  for (const pair of await listChangedPairs(deps, unfinished)) {
    found.push(await comparePair(deps, threads, pair, isGivenUp));
  }
  await deps.pool.transaction(async (tx) => {
    await lockAgent(tx, unfinished.agent_id);
    await lockCreation(tx, unfinished.creation_id);
    await finishComparison(tx, unfinished.revision_id, found, deps.now());
  });
}

async function listChangedPairs(deps: Deps, { base_id, revision_id }: UnfinishedRow): Promise<Pair[]> {
  const [before, after] = await Promise.all([
    listFilesOfRevision(deps.pool, base_id),
    listFilesOfRevision(deps.pool, revision_id),
  ]);
  return pairFiles(before, after).flatMap(({ change, from, to }) =>
    change === "changed" && from && to ? [{ position: after.indexOf(to), base: from, head: to }] : [],
  );
}

async function comparePair(
  deps: Deps,
  threads: Threads,
  { position, base, head }: Pair,
  isGivenUp: boolean,
): Promise<NewFileDiff> {
  const { outcome, rows } = isGivenUp
    ? { outcome: "too_long" as const, rows: null }
    : await countRows(deps, threads, base, head);
  return {
    position,
    base_asset_id: base.asset_id,
    head_asset_id: head.asset_id,
    base_sha256: base.read_sha256,
    head_sha256: head.read_sha256,
    outcome,
    rows: rows && JSON.stringify(rows),
  };
}

async function countRows(
  deps: Deps,
  threads: Threads,
  base: FileRow,
  head: FileRow,
): Promise<{ outcome: Outcome; rows: RowCounts | null }> {
  if (!areComparable(base, head)) return { outcome: "no_table", rows: null };
  if (!hasOneTable(base) || !hasOneTable(head)) return { outcome: "several_tables", rows: null };
  const preferredKey = readPrimaryKey(readDictionary(head), null);
  const appended = await findAppend(deps.pool, base.asset_id, head.asset_id);
  if (appended !== null) return { outcome: "counted", rows: countAppend(appended, preferredKey) };
  try {
    const pair = { baseId: base.asset_id, headId: head.asset_id, preferredKey };
    return { outcome: "counted", rows: toCounts(await compareFiles({ deps, threads }, pair)) };
  } catch (error) {
    const outcome = nameFailure(error);
    if (outcome === null) throw error;
    return { outcome, rows: null };
  }
}

/** What an append changed is known without a look at the files, however large they are. */
function countAppend({ rows_added, columns_added }: Append, key: readonly string[] | null): RowCounts {
  return {
    ...{ key: key && [...key], added: rows_added, removed: 0, changed: 0, cells: 0 },
    ...{ columns_added, columns_removed: [], by_column: [] },
  };
}

function nameFailure(error: unknown): Outcome | null {
  if (error instanceof FileMissing) return "deleted";
  if (!(error instanceof Refusal)) return null;
  if (error.code === "too_large_to_read") return "too_long";
  if (error.code === "not_found") return "deleted";
  // Any other status is of a machine that is busy now.
  return error.status === 409 || error.status === 422 ? "no_table" : null;
}

function toCounts({ key, columns, summary }: Awaited<ReturnType<typeof compareFiles>>): RowCounts {
  return {
    key,
    ...presentMembers(summary, "added", "removed", "changed", "cells"),
    columns_added: columns.added,
    columns_removed: columns.removed,
    by_column: summary.by_column,
  };
}
