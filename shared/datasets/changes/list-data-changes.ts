import type { Tx } from "../../../sql/connection/pool.ts";
import {
  type DataChangeRow,
  dataChangesOf,
  insertComparison,
  type Outcome,
} from "../../../sql/reading/file-diffs.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import { addressesOf } from "../../ground/addresses.ts";
import type { Deps } from "../../platform/deps.ts";
import type { NamedJob } from "../../platform/jobs/queue.ts";
import { describeCounts, describeSum, joinPieces, RowCounts } from "../../tables/differences/row-counts.ts";

/** What changed in one file of an update. */
interface DataChange {
  label: string;
  /** Null for a text, a document with several tables, and where comparing took too long. */
  counts: RowCounts | null;
  /** Null where the files cannot be compared, or not any more. */
  diffUrl: string | null;
}

/** What an update changed in its files, in their order. */
export interface RevisionChanges {
  finishedMs: number;
  files: DataChange[];
}

/** What changed, by the numbers of revisions; one of which that is not known is missing. */
export type DataChanges = ReadonlyMap<number, RevisionChanges>;

/** What a dataset's newest published revisions up to a number changed in its files. */
export async function listDataChanges(
  deps: Deps,
  { id, type }: Pick<CreationRow, "id" | "type">,
  of: { limit: number; upTo?: number },
): Promise<DataChanges> {
  return groupDataChanges(deps, type === "dataset" ? await deps.pool.any(dataChangesOf(id, of)) : []);
}

/** The same of rows that are read already. */
export function groupDataChanges(deps: Deps, rows: readonly DataChangeRow[]): DataChanges {
  const found = new Map<number, RevisionChanges>();
  for (const row of rows) {
    const files = found.get(row.revision_number)?.files ?? [];
    if (row.pair !== null) files.push(presentChange(deps, row.pair, row.rows));
    found.set(row.revision_number, { finishedMs: row.finished_at, files });
  }
  return found;
}

/** Files of which each has tables. */
const COMPARABLE: readonly Outcome[] = ["counted", "several_tables", "too_long"];

function presentChange(
  { config }: Deps,
  { label, base_asset_id: base, head_asset_id: head, outcome, is_open }: NonNullable<DataChangeRow["pair"]>,
  rows: string | null,
): DataChange {
  const isOpen = COMPARABLE.includes(outcome) && is_open;
  return {
    label,
    counts: rows === null ? null : RowCounts.parse(JSON.parse(rows)),
    diffUrl: isOpen ? addressesOf(config.siteUrl).fileDiff(base, head) : null,
  };
}

/** The same as the public JSON has it. */
export function presentDataChanges(changes: RevisionChanges | undefined) {
  if (changes === undefined) return null;
  return changes.files.map(({ label, counts, diffUrl }) => ({
    label,
    rows_added: counts?.added ?? null,
    rows_removed: counts?.removed ?? null,
    rows_changed: counts?.changed ?? null,
    cells_changed: counts?.cells ?? null,
    columns_added: counts?.columns_added ?? null,
    columns_removed: counts?.columns_removed ?? null,
    diff_url: diffUrl,
  }));
}

/** Files of one update that a page or a feed tells of. */
const MOST_TOLD = 5;

/** The files of an update in which rows, cells or columns changed, each with that in words, and how many more there are. */
export function describeFiles(changes: RevisionChanges | undefined) {
  const told = (changes?.files ?? []).flatMap(({ label, counts }) => {
    const words = counts === null ? [] : describeCounts(counts);
    return words.length === 0 ? [] : [{ label, words }];
  });
  return { files: told.slice(0, MOST_TOLD), others: Math.max(0, told.length - MOST_TOLD) };
}

/** What an update changed in its files as two plain texts: all in all, and file by file; null where nothing is counted. */
export function describeDataChanges(changes: RevisionChanges | undefined) {
  const { files, others } = describeFiles(changes);
  if (files.length === 0) return null;
  const sum = describeSum((changes?.files ?? []).flatMap(({ counts }) => counts ?? []));
  const sentences = files.map(({ label, words }) => `${label}: ${joinPieces(words)}.`);
  const more = others === 0 ? [] : [`${others} more ${others === 1 ? "file" : "files"} changed.`];
  return { sum, text: [...sentences, ...more].join(" ") };
}

/**
 * Notes, in the transaction that publishes it, that the files of a dataset's update are to be compared with those before;
 * returns the job.
 */
export async function noteComparison(tx: Tx, creation: CreationRow, revisionId: string): Promise<NamedJob[]> {
  if (creation.type !== "dataset" || creation.first_published_at === null) return [];
  if (!(await insertComparison(tx, revisionId))) return [];
  return [{ name: "compare-files", payload: { revision_id: revisionId } }];
}
