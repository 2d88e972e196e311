import { createRowWriter, takeBytes } from "../rows/cells.ts";
import type { RowsRefusal } from "../rows/plan.ts";
import { createReader } from "../rows/reader.ts";
import { createTextRows, type ExportFormat, quoteCsvText } from "../rows/text-rows.ts";
import { type CodedTable, encodeCell, KIND, watchCoded } from "./coded-table.ts";
import type { QueryPlan } from "./plan.ts";
import { findResult, type QueryInput, type QueryResult, runOrRefuse } from "./run.ts";

/** An export that has begun: the whole text of a grouped result, or the rows to write piece by piece. */
export interface StartedExport {
  ok: true;
  /** Null where the result are rows of the table. */
  text: Uint8Array | null;
  /** Where each row to write begins. */
  places: Uint32Array;
  /** The columns that were coded for it, or worked more out of; null where it found everything. */
  added: CodedTable | null;
}

/** Finds what an export writes. */
export function startQueryExport(input: QueryInput, format: ExportFormat): StartedExport | RowsRefusal {
  return runOrRefuse(() => {
    const findAdded = watchCoded(input.coded);
    const result = findResult(input);
    const { offset, limit } = input.plan.question;
    const { order, coded } = result;
    const asked = order.subarray(Math.min(offset, order.length), Math.min(offset + limit, order.length));
    if (result.grouped !== null) {
      const text = writeGroups(input.plan, result, asked, format);
      return { ok: true, text, places: new Uint32Array(), added: findAdded(coded) };
    }
    const places = asked.map((row) => coded.starts[row] as number);
    return { ok: true, text: null, places, added: findAdded(coded) };
  });
}

function writeGroups(
  { columns }: QueryPlan,
  { grouped }: QueryResult,
  order: Uint32Array,
  format: ExportFormat,
): Uint8Array {
  const cells = grouped ?? [];
  const lines: string[] = [];
  const keys = columns.map((name) => JSON.stringify(name));
  for (const group of order) {
    if (format === "csv") {
      const texts = cells.map(({ kind, text }) =>
        kind(group) === KIND.blank ? (cells.length === 1 ? '""' : "") : quoteCsvText(text(group)),
      );
      lines.push(`${texts.join(",")}\r\n`);
    } else {
      const members = cells.map(
        ({ kind, text, isText }, at) => `${keys[at]}:${encodeCell(kind(group), () => text(group), isText)}`,
      );
      lines.push(`{${members.join(",")}}\n`);
    }
  }
  // Not a Buffer: Node puts small ones into one of 64 KiB, all of which the thread would send.
  return new TextEncoder().encode(lines.join(""));
}

/** One step of an export of rows. */
export interface QueryExportStep {
  plan: QueryPlan;
  /** Where the next rows begin, at most `PIECE_ROWS` of them. */
  places: Uint32Array;
  format: ExportFormat;
}

/** What one step writes: what a slow reader holds in memory, unless a single row is larger. */
const PIECE_BYTES = 196_608;
/** So many rows fill a piece, as each has two bytes at least. */
export const PIECE_ROWS = PIECE_BYTES / 2;

/** Writes rows up to the bytes of a piece, and counts them. */
export function writeQueryPiece(
  { plan, places, format }: QueryExportStep,
  bytes: Buffer,
): { text: Uint8Array; written: number } {
  const reader = createReader(plan, plan.columns);
  const write = createTextRows(format, plan.columns);
  const writer = createRowWriter(PIECE_BYTES + PIECE_BYTES / 4);
  let written = 0;
  while (written < places.length && writer.length < PIECE_BYTES) {
    reader.locate(bytes, places[written] as number);
    write(writer, bytes, reader.places);
    written++;
  }
  return { text: takeBytes(writer), written };
}
