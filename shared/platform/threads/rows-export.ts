import type { IndexedTable } from "../../tables/inspection/reading-index.ts";
import type { ExportPart } from "../../tables/rows/export.ts";
import { cutWindows } from "../../tables/rows/export-windows.ts";
import type { RowsPlan } from "../../tables/rows/plan.ts";
import { type ExportFormat, writeHeader } from "../../tables/rows/text-rows.ts";
import type { ExportTask, Overrun } from "./tasks.ts";

/** A thread exceeded its time or memory after the answer had begun, which can now only be aborted. */
export class ExportOverrun extends Error {
  override name = "ExportOverrun";
}

/**
 * The text of all rows that a question matches, piece by piece: a thread writes each piece only once the
 * previous one was taken, so a slow reader holds one piece and no thread. Throws `ExportOverrun`.
 */
export async function* streamExport(
  key: string,
  plan: RowsPlan,
  table: IndexedTable,
  format: ExportFormat,
  runStep: (task: ExportTask, isFirst: boolean) => Promise<ExportPart | Overrun>,
): AsyncGenerator<Uint8Array> {
  const isFiltered = plan.query.filters.length > 0;
  // Without conditions, the windows themselves begin and end at offset and limit.
  let skip = isFiltered ? plan.query.offset : 0;
  let left = plan.query.limit;
  // The header goes out with the first rows, so that an earlier failure is still a refusal.
  let header = format === "csv" ? writeHeader(plan.columns) : null;
  let isFirst = true;
  for (const window of cutWindows(plan, table)) {
    const part = await runStep({ key, plan, window, format, skip, left }, isFirst);
    isFirst = false;
    if (part === "memory" || part === "time") throw new ExportOverrun(part);
    skip = Math.max(skip - part.matched, 0);
    left -= part.written;
    if (part.bytes.length > 0) {
      yield header === null ? part.bytes : Buffer.concat([header, part.bytes]);
      header = null;
    }
    if (left <= 0) return;
  }
  if (header !== null) yield header;
}
