import { type AssetRow, findAssetById } from "../../../sql/datasets/assets.ts";
import { findPrimaryKey } from "../../datasets/dictionaries/check-dictionaries.ts";
import type { RenderContext } from "../../datasets/drawings/render-body.ts";
import { type DisclosedFile, getOpenFile, type OpenFile } from "../../datasets/uploads/public-files.ts";
import { continueExport, type OpenExport, toStoredTable } from "../../datasets/uploads/read-rows.ts";
import { etagOf } from "../../ground/checksum.ts";
import { notFound, Refusal, validationFailed } from "../../ground/errors.ts";
import { workFor } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import type { DiffOfFiles } from "../../platform/threads/table-diff-reader.ts";
import {
  type DiffAsked,
  type DiffQuestion,
  planDiff,
  readDiffQuestion,
} from "../../tables/differences/plan-diff.ts";
import { presentCounts } from "../../tables/differences/write-diff.ts";
import type { RowsRefusal } from "../../tables/rows/plan.ts";
import type { ExportFormat } from "../../tables/rows/text-rows.ts";

type ComparedRow = Pick<AssetRow, "format"> & { asset_id: string };

/**
 * Compares the tables of two files, whether readers may see them or not. Throws `not_found` for a file that is gone,
 * and the refusals of tables: `not_tabular`, `table_required`, `too_large_to_read`, `validation_failed`.
 */
export async function compareFiles(
  { deps, threads }: Pick<RenderContext, "deps" | "threads">,
  {
    baseId,
    headId,
    preferredKey = null,
  }: {
    baseId: string;
    headId: string;
    /** The primary key of the head's dictionary: taken where it identifies the rows of both files. */
    preferredKey?: readonly string[] | null;
  },
) {
  const [base, head] = await Promise.all([findStored(deps, baseId), findStored(deps, headId)]);
  const requester = { key: `diff ${headId}`, signal: new AbortController().signal };
  const asked = { table: null, key: null, preferredKey, columns: null };
  const outcome = await workFor(requester, async () =>
    threads.diffFiles(await askAboutFiles(deps, base, head, asked)),
  );
  if (!outcome.ok) throw toRefusal(outcome);
  const { plan, found } = outcome;
  // The key is null where rows were paired as wholes.
  return { key: found.key, columns: plan.columns, summary: presentCounts(plan, found) };
}

/** The question about two files whose rows in the database are known. */
async function askAboutFiles(
  deps: Deps,
  base: ComparedRow,
  head: ComparedRow,
  asked: DiffAsked,
): Promise<DiffOfFiles> {
  const { jsonTableBytes, queryBytes } = deps.config.limits;
  const [ofBase, ofHead] = await Promise.all([toStoredTable(deps, base), toStoredTable(deps, head)]);
  return { base: ofBase, head: ofHead, asked, limits: { jsonTableBytes, queryBytes } };
}

/** The refusal of a comparison, to be thrown. */
function toRefusal({ code, message, errors }: RowsRefusal): Refusal {
  return code === "validation_failed" ? validationFailed(errors) : new Refusal(code, message, { errors });
}

async function findStored(deps: Deps, id: string): Promise<ComparedRow> {
  const row = await findAssetById(deps.pool, id);
  if (row === null || row.file_deleted_at !== null || row.readiness !== "ready") throw notFound("file");
  return { asset_id: row.id, format: row.format };
}

/** A question of a reader about two open files that was read, and the entity tag of its answer. */
interface AskedFiles {
  base: DisclosedFile;
  question: DiffQuestion;
  /** The primary key of the head's dictionary; null where it has none. */
  preferredKey: readonly string[] | null;
  etag: string;
}

type Context = Pick<RenderContext, "deps" | "threads">;

/**
 * Reads a question about an open file and an older one; throws 404 where readers may not see the older one, 422 with
 * every fault of the question otherwise.
 */
export async function readFilesQuestion(
  deps: Deps,
  head: OpenFile,
  query: URLSearchParams,
  form: "page" | ExportFormat,
): Promise<AskedFiles> {
  const { question, errors } = readDiffQuestion(
    query,
    form === "page" ? deps.config.limits.rowsPerCall : null,
  );
  if (question.base === "" || errors.base !== undefined) throw validationFailed(errors);
  const base = await getOpenFile(deps, question.base, "base file");
  const preferredKey =
    question.key === null ? await findPrimaryKey(deps, head.asset_id, question.table) : null;
  if (Object.keys(errors).length > 0) {
    const { base: ofBase, head: ofHead, asked, limits } = await toAsked(deps, head, { base, question });
    const plan = planDiff(ofBase.file, ofHead.file, asked, limits);
    throw validationFailed({ ...(plan.ok ? {} : plan.errors), ...errors });
  }
  // The ids as well: the answer names the files, and two may hold the same bytes.
  const files = [head, base].map(({ asset_id, read_sha256 }) => [asset_id, read_sha256]);
  const etag = etagOf(JSON.stringify([files, form, question, preferredKey]));
  return { base, question, preferredKey, etag };
}

/** Answers with one page of what changed. */
export async function answerFilesQuestion(
  { deps, threads }: Context,
  head: OpenFile,
  asked: AskedFiles,
): Promise<{ ok: true; json: Uint8Array } | RowsRefusal> {
  const { base, question } = asked;
  const { kinds, columns, offset, limit } = question;
  const nameFile = ({ asset_id, read_sha256 }: OpenFile) => ({
    assetId: asset_id,
    contentSha256: read_sha256,
  });
  return await threads.readDiff(await toAsked(deps, head, asked), {
    wish: { kinds, columns },
    files: { base: nameFile(base), head: nameFile(head) },
    part: { offset, limit, mostBytes: deps.config.limits.rowsResponseBytes },
  });
}

/** Exports what changed; the first piece is read before it returns. */
export async function exportFilesQuestion(
  { deps, threads }: Context,
  head: OpenFile,
  asked: AskedFiles,
  format: ExportFormat,
): Promise<OpenExport | RowsRefusal> {
  const { kinds, columns, offset, limit } = asked.question;
  const question = await toAsked(deps, head, asked);
  const started = await threads.exportDiff(question, { wish: { kinds, columns }, format, offset, limit });
  return started.ok ? await continueExport(started) : started;
}

async function toAsked(
  deps: Deps,
  head: OpenFile,
  { base, question, preferredKey = null }: Pick<AskedFiles, "base" | "question"> & Partial<AskedFiles>,
): Promise<DiffOfFiles> {
  const { table, key, columns } = question;
  return await askAboutFiles(deps, base, head, { table, key, columns, preferredKey });
}
