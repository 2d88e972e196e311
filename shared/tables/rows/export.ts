import { findMatchingRows } from "./matching-rows.ts";
import type { RowsPlan } from "./plan.ts";
import { createReader } from "./reader.ts";
import { createRowTest } from "./row-test.ts";
import { createRowWriter, takeBytes } from "./row-writer.ts";
import { createTextRows, type ExportFormat } from "./text-rows.ts";
import type { RowsWindow } from "./windows.ts";

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
export function exportWindow({ plan, window, format, skip, left }: ExportStep, bytes: Buffer): ExportPart {
  const test = createRowTest(plan, plan.query);
  const { starts } = findMatchingRows(window, test, { bytes, start: 0 }, plan.query.from);
  const wanted = starts.subarray(skip, skip + left);
  // The columns have the first slots, in their order.
  const reader = createReader(plan, plan.columns);
  const write = createTextRows(format, plan.columns);
  const writer = createRowWriter(2 * (window.end - window.start) + FIRST_BYTES);
  for (const at of wanted) {
    reader.find(bytes, at);
    write(writer, bytes, reader.places);
  }
  return { bytes: takeBytes(writer), matched: starts.length, written: wanted.length };
}

const FIRST_BYTES = 4_096;
