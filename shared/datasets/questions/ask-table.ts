import { findOpenDictionary } from "../../../sql/datasets/revision-files.ts";
import type { OpenFileRow } from "../../../sql/reading/open-files.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { etagOf } from "../../ground/checksum.ts";
import { type FieldErrors, validationFailed } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { TableQuestion } from "../../platform/threads/query-reader.ts";
import { planQuery } from "../../tables/questions/plan.ts";
import type { Question } from "../../tables/questions/question.ts";
import { type QueryForm, readQuestion } from "../../tables/questions/read-question.ts";
import type { QueryPage } from "../../tables/questions/write-page.ts";
import { writeCanonical } from "../../tables/questions/write-question.ts";
import type { RowsRefusal } from "../../tables/rows/plan.ts";
import type { ExportFormat } from "../../tables/rows/text-rows.ts";
import { askOverNetwork } from "../../text/snippets/data-file.ts";
import { continueExport, findRowsFile, type OpenExport, toStoredTable } from "../uploads/read-rows.ts";
import { takeMissing } from "./take-missing.ts";

type AskedFileRow = Pick<OpenFileRow, "asset_id" | "format" | "read_sha256">;

/**
 * Reads a question from the query of an address, with the entity tag of its answer and whether a change of the file's
 * dictionary may change it; throws 422 with every fault, that of an unknown column too.
 */
export async function readTableQuestion(
  deps: Deps,
  file: OpenFileRow,
  query: string,
  { form, mostBytes }: { form: QueryForm; mostBytes?: number | undefined },
) {
  const { question: asked, faults } = await findQuestionFaults(deps, file, query, { form, mostBytes });
  if (Object.keys(faults).length > 0) throw validationFailed(faults);
  const mayChange = asked.blankFrom === "unsaid";
  const question = takeMissing(asked, mayChange ? await findOpenDictionary(deps.pool, file.asset_id) : null);
  // The same question about the same bytes has the same answer for ever.
  const what = `${file.read_sha256} ${form} ${writeCanonical(question)}`;
  return { question, etag: etagOf(what), mayChange };
}

/** Reads a question and finds every fault of it; one with faults must not be asked. */
export async function findQuestionFaults(
  deps: Deps,
  file: OpenFileRow,
  query: string,
  { form, mostBytes }: { form: QueryForm; mostBytes?: number | undefined },
): Promise<{ question: Question; faults: FieldErrors }> {
  const { limits } = deps.config;
  const { question, errors } = readQuestion(query, form, limits.rowsPerCall, mostBytes);
  if (Object.keys(errors).length === 0) return { question, faults: {} };
  const { refusal } = await lookUpNames(deps, file, { question, errors, form });
  return { question, faults: { ...refusal?.errors, ...errors } };
}

/** Parts of a question that its result has the same columns without. */
const OF_ROWS = /^(?:filter|match|q|blank|having|sort|offset|limit)(?:\.|$)/;

/**
 * Looks up the names of a question, of which a part may be refused: why its file does not take it, or null; and what
 * lists the columns of its result, null where they depend on what is refused.
 */
export async function lookUpNames(
  deps: Deps,
  file: AskedFileRow,
  { question, errors, form }: { question: Question; errors: FieldErrors; form: QueryForm },
): Promise<{ refusal: RowsRefusal | null; listColumns: () => readonly string[] | null }> {
  const isJudged = ({ column }: { column: string }) => !mayName(question, errors, column);
  const judged = {
    ...question,
    having: question.having.filter(isJudged),
    sort: question.sort.filter(isJudged),
  };
  const rowsFile = await findRowsFile(deps, file);
  const planOf = (part: Question) => planQuery(rowsFile, part, form, deps.config.limits);
  const plan = planOf(judged);
  const listColumns = () => {
    const isWide = Object.keys(errors).every((field) => OF_ROWS.test(field));
    const wide = isWide ? planOf({ ...question, filters: [], having: [], sort: [] }) : null;
    return wide?.ok ? wide.columns : null;
  };
  return { refusal: plan.ok ? null : plan, listColumns };
}

/** Whether a name may be that of a column of the result whose group or aggregate is refused. */
function mayName({ aggregates }: Question, errors: FieldErrors, name: string): boolean {
  const isNameless = Object.keys(errors).some((field) => {
    const [member = "", , part = ""] = field.split(".");
    return ["group", "aggregate"].includes(member) && !["as", "by", "op", "step"].includes(part);
  });
  const ofColumn = aggregates.filter(({ as }) => as === "").map(({ column }) => column);
  return isNameless || ofColumn.some((column) => (column === null ? name : name.endsWith(`_${column}`)));
}

/** Answers a question about a table with one page. */
export async function answerTableQuestion(
  deps: Deps,
  threads: Threads,
  file: AskedFileRow,
  {
    question,
    rowBytes,
  }: {
    question: Question;
    /** The most bytes of rows, where the answer says that they cut it; null: those of every answer. */
    rowBytes: number | null;
  },
): Promise<QueryPage | RowsRefusal> {
  const asked = await toTableQuestion(deps, file, question);
  const cut = rowBytes === null ? {} : { rowsResponseBytes: rowBytes, notesCut: true };
  const answer = await threads.query({ ...asked, limits: { ...asked.limits, ...cut } });
  return answer.ok ? answer : hintAtParquet(deps, asked, answer);
}

/** A question that is refused for the size of its file can be asked of DuckDB. */
function hintAtParquet({ config }: Deps, asked: TableQuestion, refusal: RowsRefusal): RowsRefusal {
  const isTooLarge = refusal.code === "too_large_to_read" && asked.file.bytes > config.limits.queryBytes;
  if (!isTooLarge) return refusal;
  const url = addressesOf(config.siteUrl).parquet(asked.asked.assetId, asked.question.table);
  return { ...refusal, hint: `Ask DuckDB over the file as Parquet: ${askOverNetwork(url)}` };
}

/** Exports what a question finds in a published table; the first piece is read before it returns. */
export async function exportTableQuestion(
  deps: Deps,
  threads: Threads,
  file: OpenFileRow,
  question: Question,
  format: ExportFormat,
): Promise<OpenExport | RowsRefusal> {
  const asked = await toTableQuestion(deps, file, question);
  const started = await threads.exportQuery(asked, format);
  return started.ok ? await continueExport(started) : hintAtParquet(deps, asked, started);
}

async function toTableQuestion(deps: Deps, row: AskedFileRow, question: Question): Promise<TableQuestion> {
  const asked = { assetId: row.asset_id, contentSha256: row.read_sha256 };
  return { ...(await toStoredTable(deps, row)), question, asked, limits: deps.config.limits };
}
