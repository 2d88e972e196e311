import { findPrimaryKey } from "../../datasets/dictionaries/find-primary-key.ts";
import type { RenderContext } from "../../datasets/render-context.ts";
import type { DisclosedFile, OpenFile } from "../../datasets/uploads/public-files.ts";
import { getOpenFile } from "../../datasets/uploads/public-files.ts";
import { continueExport, type OpenExport } from "../../datasets/uploads/read-rows.ts";
import { etagOf } from "../../ground/checksum.ts";
import { validationFailed } from "../../ground/errors.ts";
import type { Requester } from "../../platform/concurrency/fair-semaphore.ts";
import type { Deps } from "../../platform/deps.ts";
import type { DiffOfFiles } from "../../platform/threads/table-diff-reader.ts";
import { planDiff } from "../../tables/differences/plan-diff.ts";
import { type DiffQuestion, readDiffQuestion } from "../../tables/differences/read-diff-question.ts";
import type { RowsRefusal } from "../../tables/rows/plan.ts";
import type { ExportFormat } from "../../tables/rows/text-rows.ts";
import { askAboutFiles } from "./compare-files.ts";

/** A question of a reader about two open files that was read, and the entity tag of its answer. */
export interface AskedFiles {
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
  const base = await getOpenFile(deps, question.base);
  const preferredKey =
    question.key === null ? await findPrimaryKey(deps, head.asset_id, question.table) : null;
  if (Object.keys(errors).length > 0) {
    const { base: ofBase, head: ofHead, asked, limits } = await toAsked(deps, head, { base, question });
    const plan = planDiff(ofBase.file, ofHead.file, asked, limits);
    throw validationFailed({ ...(plan.ok ? {} : plan.errors), ...errors });
  }
  // The ids as well: the answer names the files, and two may hold the same bytes.
  const files = [head, base].map(({ asset_id, content_sha256 }) => [asset_id, content_sha256]);
  const etag = etagOf(JSON.stringify([files, form, question, preferredKey]));
  return { base, question, preferredKey, etag };
}

/** Answers with one page of what changed. */
export async function answerFilesQuestion(
  { deps, threads }: Context,
  head: OpenFile,
  asked: AskedFiles,
  requester: Requester,
): Promise<{ ok: true; json: Uint8Array } | RowsRefusal> {
  const { base, question } = asked;
  const { kinds, columns, offset, limit } = question;
  const nameFile = ({ asset_id, content_sha256 }: OpenFile) => ({
    assetId: asset_id,
    contentSha256: content_sha256,
  });
  return await threads.readDiff(await toAsked(deps, head, asked, requester), {
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
  { requester, format }: { requester: Requester; format: ExportFormat },
): Promise<OpenExport | RowsRefusal> {
  const { kinds, columns, offset, limit } = asked.question;
  const question = await toAsked(deps, head, asked, requester);
  const started = await threads.exportDiff(question, { wish: { kinds, columns }, format, offset, limit });
  return started.ok ? await continueExport(started) : started;
}

const NOBODY: Requester = { key: "nobody", signal: new AbortController().signal };

async function toAsked(
  deps: Deps,
  head: OpenFile,
  { base, question, preferredKey = null }: Pick<AskedFiles, "base" | "question"> & Partial<AskedFiles>,
  requester = NOBODY,
): Promise<DiffOfFiles> {
  const { table, key, columns } = question;
  return await askAboutFiles(deps, base, head, { asked: { table, key, columns, preferredKey }, requester });
}
