import { type AssetRow, findAssetById, findReadingIndex } from "../../../sql/datasets/assets.ts";
import type { RenderContext } from "../../datasets/render-context.ts";
import { findRowsFile } from "../../datasets/uploads/table-files.ts";
import { notFound, Refusal, validationFailed } from "../../ground/errors.ts";
import type { Requester } from "../../platform/concurrency/fair-semaphore.ts";
import type { Deps } from "../../platform/deps.ts";
import type { DiffOfFiles } from "../../platform/threads/table-diff-reader.ts";
import type { DiffAsked, DiffColumns } from "../../tables/differences/plan-diff.ts";
import { type DiffSummary, presentCounts } from "../../tables/differences/present-diff.ts";
import type { RowsRefusal } from "../../tables/rows/plan.ts";

/** What changed between the tables of two files, without the rows. */
export interface ComparedFiles {
  /** The columns by which rows were paired; null where they were paired as wholes. */
  key: string[] | null;
  columns: DiffColumns;
  summary: DiffSummary;
}

type ComparedRow = Pick<AssetRow, "format" | "bytes"> & { asset_id: string };

/**
 * Compares the tables of two files, whether readers may see them or not. Throws `not_found` for a file that is gone,
 * and the refusals of tables: `not_tabular`, `table_required`, `too_large_to_read`, `validation_failed`.
 */
export async function compareFiles(
  { deps, threads }: Pick<RenderContext, "deps" | "threads">,
  {
    baseId,
    headId,
    table = null,
    key = null,
    preferredKey = null,
  }: {
    baseId: string;
    headId: string;
    table?: string | null;
    /** The columns that identify a row; a refusal where they do not. */
    key?: readonly string[] | null;
    /** The primary key of the head's dictionary: taken where it identifies the rows of both files. */
    preferredKey?: readonly string[] | null;
  },
): Promise<ComparedFiles> {
  const [base, head] = await Promise.all([findStored(deps, baseId), findStored(deps, headId)]);
  const requester: Requester = { key: `diff ${headId}`, signal: new AbortController().signal };
  const asked = { table, key, preferredKey, columns: null };
  const outcome = await threads.diffFiles(await askAboutFiles(deps, base, head, { asked, requester }));
  if (!outcome.ok) throw toRefusal(outcome);
  const { plan, found } = outcome;
  return { key: found.key, columns: plan.columns, summary: presentCounts(plan, found) };
}

/** The question about two files whose rows in the database are known. */
export async function askAboutFiles(
  deps: Deps,
  base: ComparedRow,
  head: ComparedRow,
  { asked, requester }: { asked: DiffAsked; requester: Requester },
): Promise<DiffOfFiles> {
  const { jsonTableBytes, queryBytes } = deps.config.limits;
  const toFile = async (row: ComparedRow) => ({
    key: row.asset_id,
    file: await findRowsFile(deps, row),
    loadIndex: () => findReadingIndex(deps.pool, row.asset_id),
  });
  const [ofBase, ofHead] = await Promise.all([toFile(base), toFile(head)]);
  return { requester, base: ofBase, head: ofHead, asked, limits: { jsonTableBytes, queryBytes } };
}

/** The refusal of a comparison, to be thrown. */
export function toRefusal({ code, message, errors }: RowsRefusal): Refusal {
  return code === "validation_failed" ? validationFailed(errors) : new Refusal(code, message, { errors });
}

async function findStored(deps: Deps, id: string): Promise<ComparedRow> {
  const row = await findAssetById(deps.pool, id);
  if (row === null || row.file_deleted_at !== null || row.readiness !== "ready") throw notFound("file");
  return { asset_id: row.id, format: row.format, bytes: row.bytes };
}
