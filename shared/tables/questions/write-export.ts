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
  /** The rows to write, in shared memory. */
  order: Uint32Array;
  /** Where each row of the table begins. */
  starts: Uint32Array;
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
    const { starts } = coded;
    const asked = order.subarray(Math.min(offset, order.length), Math.min(offset + limit, order.length));
    if (result.grouped !== null) {
      const text = writeGroups(input.plan, result, asked, format);
      return { ok: true, text, order: new Uint32Array(), starts, added: findAdded(coded) };
    }
    const shared = new Uint32Array(new SharedArrayBuffer(asked.byteLength));
    shared.set(asked);
    return { ok: true, text: null, order: shared, starts, added: findAdded(coded) };
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
  starts: Uint32Array;
  order: Uint32Array;
  /** The place in `order` of the first row to write. */
  from: number;
  format: ExportFormat;
}

/** What one step writes: what a slow reader holds in memory, unless a single row is larger. */
const PIECE_BYTES = 196_608;

/** Writes rows up to the bytes of a piece; `next` is the place after the last. */
export function writeQueryPiece(
  { plan, starts, order, from, format }: QueryExportStep,
  bytes: Buffer,
): { text: Uint8Array; next: number } {
  const reader = createReader(plan, plan.columns);
  const write = createTextRows(format, plan.columns);
  const writer = createRowWriter(PIECE_BYTES + PIECE_BYTES / 4);
  let next = from;
  while (next < order.length && writer.length < PIECE_BYTES) {
    reader.find(bytes, starts[order[next] as number] as number);
    write(writer, bytes, reader.places);
    next++;
  }
  return { text: takeBytes(writer), next };
}
