import { createRowWriter, type RowReader, takeBytes, writeRow } from "./cells.ts";
import { hasConditions } from "./conditions.ts";
import type { RowsPlan, RowsRefusal } from "./plan.ts";
import { createReader } from "./reader.ts";
import { createRowTest, type RowTest } from "./row-test.ts";
import { type Room, type RowsWindow, readWindow, type Source } from "./windows.ts";

/**
 * Finds where rows of a window begin that meet the conditions, and their numbers, in the order of a query; the window
 * begins at `start` in the bytes, which end in a line feed.
 */
export function findMatchingRows(
  window: RowsWindow,
  test: RowTest,
  { bytes, start }: { bytes: Buffer; start: number },
  from: "start" | "end",
) {
  const starts = new Uint32Array(window.rowCount);
  const numbers = new Uint32Array(window.rowCount);
  let [at, count] = [start, 0];
  for (let row = -window.skip; row < window.rowCount; row++) {
    const next = test.look(bytes, at);
    if (test.passes && row >= 0) {
      starts[count] = at;
      numbers[count++] = window.firstRow + row;
    }
    at = next;
  }
  const found = { starts: starts.subarray(0, count), numbers: numbers.subarray(0, count) };
  return from === "start" ? found : { starts: found.starts.reverse(), numbers: found.numbers.reverse() };
}

/**
 * An answer: the complete `data` object as JSON in UTF-8; the rows stand here only, with numbers as the file writes
 * them. It is bytes, as a text of 1 MB would be read, joined and written again on its way out.
 */
export type RowsOutcome = { ok: true; json: Uint8Array } | RowsRefusal;

/** The rows of one page. */
export interface RowsPage {
  /** Each as a JSON list, with commas between them. */
  rows: Uint8Array;
  returned: number;
  /** How many rows meet the conditions. */
  matched: number;
  /** The number of each row in the table, from 0. */
  numbers: number[];
}

/**
 * Reads a page from windows in the order of its query, of which it holds one at a time: of a file in memory with a line
 * feed behind it or, where that is null, of a stored one.
 */
export async function readPage(
  plan: RowsPlan,
  windows: readonly RowsWindow[],
  { bytes, source, room = Buffer.alloc }: { bytes: Uint8Array | null; source: Source; room?: Room },
): Promise<RowsPage> {
  const { offset, limit, from } = plan.query;
  const whole = bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isPlain = !hasConditions(plan.query);
  const size = windows.reduce((sum, { start, end }) => sum + end - start, 0);
  const page = startPage(plan, createReader(plan, plan.columns), isPlain ? size : FIRST_BYTES);
  const test = createRowTest(plan, plan.query);
  const numbers: number[] = [];
  let matched = 0;
  for (const window of windows) {
    if (isPlain && page.isFull) break;
    const at =
      whole === null
        ? { bytes: await readWindow(source, window, room), start: 0 }
        : { bytes: whole, start: window.start };
    const found = findMatchingRows(window, test, at, from);
    // Without conditions, the windows themselves begin at the offset.
    const skip = isPlain ? 0 : Math.max(offset - matched, 0);
    for (let index = skip; index < found.starts.length && page.returned < limit && !page.isFull; index++) {
      addRow(page, at.bytes, found.starts[index] as number);
      if (page.returned > numbers.length) numbers.push(found.numbers[index] as number);
    }
    matched += found.starts.length;
  }
  const rows = takeBytes(page.writer);
  return { rows, returned: page.returned, matched: isPlain ? plan.total : matched, numbers };
}

/** The member of an answer that its bound of bytes cuts, where that says so. */
export const CUT = ',"note":"The rows end at max_bytes. Go on with next_offset, or narrow what you ask for."';

/** The member of an answer that has not all columns of its table, where nobody named them. */
export function countLeftOut(
  named: readonly string[] | null,
  { columns, tableColumns }: TableColumns,
): string {
  const leftOut = named === null ? tableColumns.length - columns.length : 0;
  return leftOut === 0 ? "" : `,"columns_left_out":${leftOut}`;
}

type TableColumns = Pick<RowsPlan, "columns" | "tableColumns">;

/** The answer to a query of the rows reader. */
export function writeRowsAnswer(plan: RowsPlan, page: RowsPage): RowsOutcome {
  const { columns, total, query } = plan;
  const { returned, matched } = page;
  const next = query.offset + returned < matched && returned > 0 ? query.offset + returned : null;
  const json = Buffer.concat([
    Buffer.from(`{"columns":${JSON.stringify(columns)},"rows":[`),
    page.rows,
    Buffer.from(`],"returned":${returned},"matched":${matched},"total":${total},"next_offset":${next}`),
    Buffer.from(countLeftOut(query.columns, plan)),
    Buffer.from(plan.notesCut && next !== null && returned < query.limit ? `${CUT}}` : "}"),
  ]);
  return { ok: true, json };
}

type PagePlan = Pick<RowsPlan, "rowsResponseBytes">;

/** A page that is being written. */
type OpenPage = ReturnType<typeof startPage>;

const FIRST_BYTES = 16_384;

/** Starts a page without rows; about `bytes` bytes of the file will be written. */
export function startPage(plan: PagePlan, reader: RowReader, bytes: number) {
  // Quotes and commas of JSON take a little more than those of CSV.
  const writer = createRowWriter(FIRST_BYTES + Math.min(2 * bytes, plan.rowsResponseBytes));
  // Of the rows the encoded bytes are counted, each with the comma that parts it from the next.
  return { plan, reader, writer, returned: 0, bytes: 0, isFull: false };
}

/** Adds the row at a place, unless the answer would grow too large; the first row is always taken. */
export function addRow(page: OpenPage, bytes: Buffer, at: number): number {
  const { writer, reader } = page;
  const before = writer.length;
  const next = reader.locate(bytes, at);
  writeRow(writer, bytes, reader.places);
  countRow(page, before);
  return next;
}

/** Counts the row that has been written, or takes it back. */
function countRow(page: OpenPage, before: number): void {
  const { writer } = page;
  page.bytes += writer.length - before + (before === 0 ? 1 : 0);
  page.isFull = page.bytes > page.plan.rowsResponseBytes;
  if (page.isFull && page.returned > 0) writer.length = before;
  else page.returned++;
}
