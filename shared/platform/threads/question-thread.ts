import { randomInt } from "node:crypto";
import { openSide, type TableSide } from "../../tables/differences/compare-rows.ts";
import { diffTables, type FoundDiff } from "../../tables/differences/diff-tables.ts";
import type { DiffPlan } from "../../tables/differences/plan-diff.ts";
import { type DiffView, type DiffWish, openView } from "../../tables/differences/write-change.ts";
import {
  type DiffExportState,
  type DiffPart,
  writeDiffPage,
  writeDiffPiece,
} from "../../tables/differences/write-diff.ts";
import { bufferOf, type CodedTable } from "../../tables/questions/coded-table.ts";
import { type AnswerDigest, digestAnswer } from "../../tables/questions/digest-answer.ts";
import type { QueryPlan } from "../../tables/questions/plan.ts";
import type { QueryForm } from "../../tables/questions/read-question.ts";
import type { QueryInput } from "../../tables/questions/run.ts";
import {
  type QueryExportStep,
  type StartedExport,
  startQueryExport,
  writeQueryPiece,
} from "../../tables/questions/write-export.ts";
import { type AskedFile, answerQuery, type QueryPage } from "../../tables/questions/write-page.ts";
import type { RowsRefusal } from "../../tables/rows/plan.ts";
import type { ExportFormat } from "../../tables/rows/text-rows.ts";
import type { DigestTask } from "./tasks.ts";

/** A question about a table, on a file in memory and the columns coded so far. */
export interface QueryTask {
  plan: QueryPlan;
  form: QueryForm;
  firstRowAt: number;
  bytes: Uint8Array;
  coded: CodedTable | null;
  file: AskedFile;
}

/** One step of an export of a question's rows. */
interface QueryPieceTask extends QueryExportStep {
  bytes: Uint8Array;
}

/** A file with a table to compare, in memory. */
interface ComparedFile {
  bytes: Uint8Array;
  firstRowAt: number;
}

/** Two tables to compare. */
interface TableDiffTask {
  plan: DiffPlan;
  base: ComparedFile;
  head: ComparedFile;
}

/** Two compared tables, of which a part is written. */
interface WrittenDiff {
  plan: DiffPlan;
  found: FoundDiff;
  base: Uint8Array;
  head: Uint8Array;
  wish: DiffWish;
}

/** One page of what changed. */
export interface DiffPageTask extends WrittenDiff {
  files: { base: AskedFile; head: AskedFile };
  part: DiffPart;
}

/** One step of an export of what changed. */
interface DiffPieceTask extends WrittenDiff {
  format: ExportFormat;
  state: DiffExportState;
}

/** Answers a question about a table with one page, inside a thread. */
export function answerInThread(task: QueryTask): QueryPage | RowsRefusal {
  return answerQuery(toInput(task), task.file);
}

/** Makes the hashes of an answer inside a thread: ten thousand rows take a tenth of a second. */
export function digestInThread({ json, question, rowsShown }: DigestTask): AnswerDigest | string {
  return digestAnswer(json, question, rowsShown);
}

/** Finds what an export of a question writes, inside a thread. */
export function startExportInThread(task: QueryTask): StartedExport | RowsRefusal {
  return startQueryExport(toInput(task), task.form === "csv" ? "csv" : "ndjson");
}

/** Writes a piece of an export, inside a thread. */
export function writePieceInThread(task: QueryPieceTask): { text: Uint8Array; written: number } {
  return writeQueryPiece(task, bufferOf(task));
}

function toInput({ plan, firstRowAt, bytes, coded }: QueryTask): QueryInput {
  return { plan, firstRowAt, bytes: bufferOf({ bytes }), coded, seed: randomInt(2 ** 31) };
}

/** Finds what changed between two tables, inside a thread. */
export function diffTablesInThread(task: TableDiffTask): FoundDiff | RowsRefusal {
  const { plan } = task;
  const { columns, key, preferredKey } = plan;
  const [base, head] = [openTaskSide(plan, "base", task), openTaskSide(plan, "head", task)];
  const seed = randomInt(2 ** 31);
  return diffTables({ base, head, columns, key, preferredKey, seed });
}

function openTaskSide(plan: DiffPlan, name: "base" | "head", task: TableDiffTask): TableSide {
  const { tableColumns, total } = plan[name];
  const { bytes, firstRowAt } = task[name];
  return openSide({
    ...{ format: plan.format, tableColumns, rowCount: total },
    ...{ bytes: bufferOf({ bytes }), firstRowAt },
  });
}

/** Writes one page of what changed, inside a thread. */
export function writeDiffPageInThread(task: DiffPageTask): Uint8Array {
  return writeDiffPage(openTaskView(task), task.files, task.part);
}

/** Writes a piece of what changed, inside a thread. */
export function writeDiffPieceInThread(task: DiffPieceTask): { text: Uint8Array; state: DiffExportState } {
  const { format, state, wish } = task;
  const isWhole = wish.columns === null;
  return writeDiffPiece(openTaskView(task), format, { isWhole, state });
}

function openTaskView({ plan, found, base, head, wish }: DiffPageTask | DiffPieceTask): DiffView {
  const toSide = (name: "base" | "head", bytes: Uint8Array, starts: Uint32Array): TableSide => ({
    ...{ format: plan.format, tableColumns: plan[name].tableColumns, rowCount: plan[name].total },
    ...{ bytes: bufferOf({ bytes }), firstRowAt: starts[0] ?? 0, starts },
  });
  const sides = {
    base: toSide("base", base, found.baseStarts),
    head: toSide("head", head, found.headStarts),
  };
  return openView(plan, found, sides, wish);
}
