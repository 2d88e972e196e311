import { type CodedTable, mergeCoded, pickCoded } from "../../tables/questions/coded-table.ts";
import { planQuery, type QueryLimits, type QueryPlan, toRowsPlan } from "../../tables/questions/plan.ts";
import { isOnePass, type Question } from "../../tables/questions/question.ts";
import type { QueryForm } from "../../tables/questions/read-question.ts";
import { listCodedColumns } from "../../tables/questions/run.ts";
import type { StartedExport } from "../../tables/questions/write-export.ts";
import { type AskedFile, answerByPage, type QueryPage } from "../../tables/questions/write-page.ts";
import type { RowsRefusal } from "../../tables/rows/plan.ts";
import { findIndexedTable } from "../../tables/rows/read.ts";
import { type ExportFormat, writeHeader } from "../../tables/rows/text-rows.ts";
import { isOverrun, type RunFor, type WorkName } from "./pool.ts";
import type { RowsCache } from "./rows-cache.ts";
import { ExportOverrun } from "./rows-export.ts";

import type { RowsExport, StoredTable, TableReader } from "./table-reader.ts";
import type { Overrun } from "./tasks.ts";

/** A question about one stored file. */
export interface TableQuestion extends StoredTable {
  question: Question;
  /** How the answer names the file. */
  asked: AskedFile;
  limits: QueryLimits;
}

/** Answers questions with groups, aggregates and sorting. */
export interface QueryReader {
  /** One page of the result. */
  answer(question: TableQuestion): Promise<QueryPage | RowsRefusal | Overrun>;
  /** The whole result as text in pieces. */
  export(question: TableQuestion, format: ExportFormat): Promise<RowsExport | RowsRefusal | Overrun>;
}

type Source = Pick<TableReader, "loadIndex" | "fetchWhole" | "readPage" | "stream">;

/** Opens the query reader of one process, over the files that the table reader has at hand. */
export function openQueryReader(run: RunFor, source: Source, cache: RowsCache): QueryReader {
  const planOf = ({ file, question, limits }: TableQuestion, form: QueryForm) =>
    planQuery(file, question, form, limits);
  return {
    answer: async (question) => {
      const plan = planOf(question, "page");
      if (!plan.ok) return plan;
      if (!isOnePass(plan.question))
        return await runQuestion(source, cache, run, question, {
          plan,
          form: "page",
          name: "answerInThread",
        });
      const page = await source.readPage(run, question, toRowsPlan(plan));
      return isOverrun(page) ? page : answerByPage(plan, question.asked, page);
    },
    export: async (question, format) => {
      const plan = planOf(question, format);
      if (!plan.ok) return plan;
      if (isOnePass(plan.question)) return await source.stream(run, question, toRowsPlan(plan), format);
      const how = { plan, form: format, name: "startExportInThread" } as const;
      const started = await runQuestion<StartedExport>(source, cache, run, question, how);
      if (isOverrun(started) || !started.ok) return started;
      return { ok: true, pieces: streamPieces(source, run, question, format, { ...started, plan }) };
    },
  };
}

async function runQuestion<Answer extends QueryPage | StartedExport>(
  source: Source,
  cache: RowsCache,
  run: RunFor,
  question: TableQuestion,
  { plan, form, name }: { plan: QueryPlan; form: QueryForm; name: WorkName },
): Promise<Answer | RowsRefusal | Overrun> {
  const { requester, key, asked } = question;
  const index = await source.loadIndex(question);
  if (isOverrun(index)) return index;
  const firstRowAt = findIndexedTable(index, plan).offsets[0] ?? 0;
  const names = listCodedColumns(question.question);
  let coded: CodedTable | null = null;
  // The file comes into memory in the question's turn: questions that wait hold none of it.
  const answer = await run<Answer | RowsRefusal>(requester, name, async () => {
    const bytes = await source.fetchWhole(key, plan.bytes);
    const known = cache.get(key)?.coded.get(plan.position) ?? null;
    // Only what the question needs goes to the thread, and only what is new comes back: each column is ten objects.
    coded = known === null ? null : pickCoded(known, names);
    return { plan, firstRowAt, bytes, coded, form, file: asked };
  });
  if (!isOverrun(answer) && answer.ok) {
    const used = answer.added === null ? coded : mergeCoded(coded, answer.added);
    if (used !== null) cache.keepCoded(key, plan.position, used);
  }
  return answer;
}

/** A thread writes each piece only once the one before was taken, so a slow reader holds one piece and no thread. */
async function* streamPieces(
  source: Source,
  run: RunFor,
  { requester, key }: TableQuestion,
  format: ExportFormat,
  { plan, text, order, starts }: StartedExport & { plan: QueryPlan },
): AsyncGenerator<Uint8Array> {
  // The header goes out with the first rows, so that an earlier failure is still a refusal.
  let header = format === "csv" ? writeHeader(plan.columns) : Buffer.alloc(0);
  if (text !== null) {
    yield Buffer.concat([header, text]);
    return;
  }
  for (let from = 0; from < order.length; ) {
    const at = from;
    const piece = await run<{ text: Uint8Array; next: number }>(
      requester,
      "writePieceInThread",
      async () => ({
        plan,
        starts,
        order,
        from: at,
        format,
        bytes: await source.fetchWhole(key, plan.bytes),
      }),
      from > 0,
    );
    if (isOverrun(piece)) throw new ExportOverrun(piece);
    yield Buffer.concat([header, piece.text]);
    header = Buffer.alloc(0);
    from = piece.next;
  }
  if (header.length > 0) yield header;
}
