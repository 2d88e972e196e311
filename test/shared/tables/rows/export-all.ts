import type { RunInTurn } from "../../../../shared/platform/threads/pool.ts";
import { streamExport } from "../../../../shared/platform/threads/rows-export.ts";
import { planExport } from "../../../../shared/tables/rows/plan.ts";
import { parseExportQuery } from "../../../../shared/tables/rows/query.ts";
import {
  type ExportFormat,
  type ExportStep,
  exportWindow,
} from "../../../../shared/tables/rows/text-rows.ts";
import { collectBytes, cutWindows, findIndexedTable } from "../../../../shared/tables/rows/windows.ts";
import { LIMITS, READER, type ReadyFile, sourceOf } from "./reading.ts";

export const WINDOW_BYTES = 196_608;

/** The pieces of an export of what a query asks for. */
export async function exportAll(ready: ReadyFile, query: string, format: ExportFormat): Promise<string[]> {
  const parsed = parseExportQuery(new URLSearchParams(query), "ndjson");
  if (!parsed.ok) throw new Error(`the test asks wrongly: ${query}`);
  const plan = planExport(ready.file, parsed.query, LIMITS);
  if (!plan.ok || ready.index === null) throw new Error(`refused: ${query}`);
  const source = sourceOf(ready.content);
  const run = async (...[, makeTask]: Parameters<RunInTurn>) => {
    const task = (await makeTask()) as ExportStep;
    const { start, end } = task.window;
    return exportWindow(
      task,
      await collectBytes(source({ start, end: end - 1 }), Buffer.alloc(end - start + 1)),
    );
  };
  const windows = cutWindows(plan, findIndexedTable(ready.index, plan), WINDOW_BYTES);
  const pieces = streamExport(run as RunInTurn, { requester: READER, key: "" }, plan, windows, format);
  const texts: string[] = [];
  for await (const piece of pieces) texts.push(Buffer.from(piece).toString());
  return texts;
}
