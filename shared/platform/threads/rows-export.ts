import { hasConditions } from "../../tables/rows/conditions.ts";
import type { RowsPlan } from "../../tables/rows/plan.ts";
import { type ExportFormat, writeHeader } from "../../tables/rows/text-rows.ts";
import type { RowsWindow } from "../../tables/rows/windows.ts";
import { type Requester, workFor } from "../concurrency/places.ts";
import type { RunInTurn } from "./pool.ts";

/**
 * The text of all rows that a question matches, piece by piece: a thread writes each piece only once the
 * previous one was taken, so a slow reader holds one piece and no thread. Throws `Overrun`.
 */
export async function* streamExport(
  run: RunInTurn,
  { requester, key }: { requester: Requester; key: string },
  plan: RowsPlan,
  windows: readonly RowsWindow[],
  format: ExportFormat,
): AsyncGenerator<Uint8Array> {
  // Without conditions, the windows themselves begin and end at offset and limit.
  let skip = hasConditions(plan.query) ? plan.query.offset : 0;
  let left = plan.query.limit;
  // The header goes out with the first rows, so that an earlier failure is still a refusal.
  let header = format === "csv" ? writeHeader(plan.columns) : null;
  for (const [at, window] of windows.entries()) {
    const step = { key, plan, window, format, skip, left };
    const part = await workFor(requester, () => run("exportStored", () => step, at > 0));
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
