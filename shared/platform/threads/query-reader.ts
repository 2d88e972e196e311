import { planQuery, type QueryLimits, type QueryPlan, toRowsPlan } from "../../tables/questions/plan.ts";
import { isOnePass, listCodedColumns, type Question } from "../../tables/questions/question.ts";
import type { QueryForm } from "../../tables/questions/read-question.ts";
import { PIECE_ROWS, type StartedExport } from "../../tables/questions/write-export.ts";
import { type AskedFile, answerByPage, type QueryPage } from "../../tables/questions/write-page.ts";
import type { RowsRefusal } from "../../tables/rows/plan.ts";
import { type ExportFormat, writeHeader } from "../../tables/rows/text-rows.ts";
import { findFirstRow } from "../../tables/rows/windows.ts";
import { currentRequester, type Requester, workFor } from "../concurrency/places.ts";
import type { RunInTurn } from "./pool.ts";
import type { QueryTask } from "./question-thread.ts";
import { withLoans } from "./shared-cache.ts";
import {
  type FilesAtHand,
  lendWhole,
  loadIndex,
  type OverrunSentences,
  type RowsExport,
  readRows,
  refuseOverrun,
  type StoredTable,
  streamRows,
} from "./table-reader.ts";
import type { DigestTask } from "./tasks.ts";

/** A question about one stored file. */
export interface TableQuestion extends StoredTable {
  question: Question;
  /** How the answer names the file. */
  asked: AskedFile;
  limits: QueryLimits;
}

const OVERRUNS: OverrunSentences = {
  memory: "The question takes too much memory. Filter first, or name fewer columns.",
  time: "The question takes too long. Filter first, name fewer columns, or download the file instead.",
};

/** Opens answers to questions with groups, aggregates and sorting. */
export function openQueryReader(run: RunInTurn, files: FilesAtHand) {
  const planOf = ({ file, question, limits }: TableQuestion, form: QueryForm) =>
    planQuery(file, question, form, limits);
  const query = async (question: TableQuestion): Promise<QueryPage | RowsRefusal> => {
    const plan = planOf(question, "page");
    if (!plan.ok) return plan;
    if (!isOnePass(plan.question))
      return await runQuestion(files, question, { plan, form: "page" }, (makeTask) =>
        run("answerInThread", makeTask),
      );
    const page = await readRows(files, run, question, toRowsPlan(plan));
    return answerByPage(plan, question.asked, page);
  };
  const exportQuery = async (
    question: TableQuestion,
    format: ExportFormat,
  ): Promise<RowsExport | RowsRefusal> => {
    const plan = planOf(question, format);
    if (!plan.ok) return plan;
    if (isOnePass(plan.question)) return await streamRows(files, run, question, toRowsPlan(plan), format);
    const started = await runQuestion(files, question, { plan, form: format }, (makeTask) =>
      run("startExportInThread", makeTask),
    );
    if (!started.ok) return started;
    const requester = currentRequester();
    return { ok: true, pieces: streamPieces(files, run, question, format, { ...started, requester, plan }) };
  };
  return {
    /** One page of what a question with groups, aggregates or sorting finds. Throws `FileMissing`. */
    query: (question: TableQuestion) => refuseOverrun(query(question), OVERRUNS),
    /** The hashes of a whole answer, or why it cannot be watched. */
    digestAnswer: (task: DigestTask) => run("digestInThread", () => task),
    /** The whole of what such a question finds, as text, piece by piece. Throws `FileMissing`. */
    exportQuery: (question: TableQuestion, format: ExportFormat) =>
      refuseOverrun(exportQuery(question, format), OVERRUNS),
  };
}

async function runQuestion<Answer extends QueryPage | StartedExport>(
  files: FilesAtHand,
  question: TableQuestion,
  { plan, form }: { plan: QueryPlan; form: QueryForm },
  runIt: (makeTask: () => Promise<QueryTask>) => Promise<Answer | RowsRefusal>,
): Promise<Answer | RowsRefusal> {
  const { key, asked } = question;
  const { position, bytes: byteCount, total: rowCount } = plan;
  const firstRowAt = findFirstRow(await loadIndex(files, question), plan);
  const names = listCodedColumns(question.question);
  return await withLoans(async (loans) => {
    // The file comes into memory in the question's turn: questions that wait hold none of it.
    const answer = await runIt(async () => {
      const bytes = await lendWhole(files, key, byteCount, loans);
      // Only what the question needs goes to the thread, and only what is new comes back: each column is ten objects.
      const coded = files.cache.lendCoded({ key, position, rowCount }, names, loans);
      return { plan, firstRowAt, bytes, coded, form, file: asked };
    });
    if (answer.ok && answer.added !== null) files.cache.keepCoded({ key, position, rowCount }, answer.added);
    return answer;
  });
}

/** A thread writes each piece only once the one before was taken, so a slow reader holds one piece and no thread. */
async function* streamPieces(
  files: FilesAtHand,
  run: RunInTurn,
  { key }: TableQuestion,
  format: ExportFormat,
  { requester, plan, text, places }: StartedExport & { requester: Requester; plan: QueryPlan },
): AsyncGenerator<Uint8Array> {
  // The header goes out with the first rows, so that an earlier failure is still a refusal.
  let header = format === "csv" ? writeHeader(plan.columns) : Buffer.alloc(0);
  if (text !== null) {
    yield Buffer.concat([header, text]);
    return;
  }
  for (let from = 0; from < places.length; ) {
    const step = { plan, places: places.slice(from, from + PIECE_ROWS), format };
    const piece = await withLoans((loans) => {
      const makeTask = async () => ({ ...step, bytes: await lendWhole(files, key, plan.bytes, loans) });
      return workFor(requester, () => run("writePieceInThread", makeTask, from > 0));
    });
    yield Buffer.concat([header, piece.text]);
    header = Buffer.alloc(0);
    from += piece.written;
  }
  if (header.length > 0) yield header;
}
