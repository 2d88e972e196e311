import { randomInt } from "node:crypto";
import type { QueryInput } from "../../tables/questions/run.ts";
import {
  type StartedExport,
  startQueryExport,
  writeQueryPiece,
} from "../../tables/questions/write-export.ts";
import { answerQuery, type QueryPage } from "../../tables/questions/write-page.ts";
import type { RowsRefusal } from "../../tables/rows/plan.ts";
import type { QueryPieceTask, QueryTask, ThreadAnswer } from "./tasks.ts";

/** Answers a question about a table with one page, inside a thread. */
export function answerInThread(task: QueryTask): ThreadAnswer<QueryPage | RowsRefusal> {
  return { found: true, result: answerQuery(toInput(task), task.file) };
}

/** Finds what an export of a question writes, inside a thread. */
export function startExportInThread(task: QueryTask): ThreadAnswer<StartedExport | RowsRefusal> {
  return { found: true, result: startQueryExport(toInput(task), task.form === "csv" ? "csv" : "ndjson") };
}

/** Writes a piece of an export, inside a thread. */
export function writePieceInThread(task: QueryPieceTask): ThreadAnswer<{ text: Uint8Array; next: number }> {
  return { found: true, result: writeQueryPiece(task, Buffer.from(task.bytes)) };
}

function toInput({ plan, firstRowAt, bytes, coded }: QueryTask): QueryInput {
  return { plan, firstRowAt, bytes: Buffer.from(bytes), coded, seed: randomInt(2 ** 31) };
}
