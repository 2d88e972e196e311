import { type CellPlaces, textOfCell } from "./cells.ts";
import { createCellTest } from "./conditions.ts";
import { createReader, type RowsWindow } from "./page.ts";
import type { RowsPlan } from "./plan.ts";
import { createRowWriter, type RowWriter } from "./row-writer.ts";
import { createTextRows, type ExportFormat } from "./text-rows.ts";

/** One step of an export: a window, and the rest of offset and limit after the steps before it. */
export interface ExportStep {
  plan: RowsPlan;
  window: RowsWindow;
  format: ExportFormat;
  /** Matching rows to leave out before the first that is written. */
  skip: number;
  /** Rows that may still be written. */
  left: number;
}

/** The result of a step: its text, how many rows matched in it, and how many of them were written. */
export interface ExportPart {
  bytes: Uint8Array;
  matched: number;
  written: number;
}

/** Writes the matching rows of one window, whose bytes end in a line feed. */
export function exportWindow(step: ExportStep, bytes: Buffer): ExportPart {
  const { plan, window, skip, left } = step;
  const names = [...new Set([...plan.columns, ...plan.query.filters.map((filter) => filter.column)])];
  const reader = createReader(plan, names);
  const tests = plan.query.filters.map((filter) => {
    return { slot: names.indexOf(filter.column), passes: createCellTest(filter) };
  });
  const isMatch = (places: CellPlaces): boolean =>
    tests.every(({ slot, passes }) => passes(textOfCell(bytes, places, slot)));
  const writer = createRowWriter(2 * (window.end - window.start) + FIRST_BYTES);
  // The columns have the first slots, in their order.
  const write = createTextRows(step.format, plan.columns);
  let [matched, written] = [0, 0];
  for (const at of listRowStarts(plan, window, bytes, reader.skip)) {
    if (written >= left) break;
    reader.locate(bytes, at);
    if (!isMatch(reader.places)) continue;
    matched++;
    if (matched <= skip) continue;
    write(writer, bytes, reader.places);
    written++;
  }
  return { bytes: takeBytes(writer), matched, written };
}

const FIRST_BYTES = 4_096;

/** The starts of a window's rows, in the order of the query. */
function listRowStarts(
  plan: RowsPlan,
  window: RowsWindow,
  bytes: Buffer,
  skip: (bytes: Buffer, at: number) => number,
): Uint32Array {
  const starts = new Uint32Array(window.rowCount);
  let at = 0;
  for (let skipped = 0; skipped < window.skip; skipped++) at = skip(bytes, at);
  for (let row = 0; row < window.rowCount; row++) {
    starts[row] = at;
    at = skip(bytes, at);
  }
  return plan.query.from === "end" ? starts.reverse() : starts;
}

/** Copies the written bytes, since the whole of a larger memory would be handed on otherwise. */
function takeBytes(writer: RowWriter): Uint8Array {
  return new Uint8Array(writer.out.subarray(0, writer.length));
}
