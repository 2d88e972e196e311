import { joinBytes } from "../rows/cells.ts";
import { addRow, CUT, countLeftOut, type RowsPage, startPage } from "../rows/page.ts";
import type { RowsRefusal } from "../rows/plan.ts";
import { createReader } from "../rows/reader.ts";
import type { ResultColumn } from "./aggregate.ts";
import {
  type CodedColumn,
  type CodedTable,
  createTextReader,
  encodeCell,
  KIND,
  watchCoded,
} from "./coded-table.ts";
import type { QueryPlan } from "./plan.ts";
import { isGrouped, nameBlankFrom } from "./question.ts";
import { findResult, type QueryInput, type QueryResult, runOrRefuse } from "./run.ts";
import { writeCanonical } from "./write-question.ts";

/** The file that an answer names. */
export interface AskedFile {
  assetId: string;
  contentSha256: string;
}

/** One page of a result: the complete `data` object as JSON, and what the question coded. */
export interface QueryPage {
  ok: true;
  json: Uint8Array;
  /** Which rows of the table these are, from 0; null where the result is grouped. */
  rowNumbers: ArrayLike<number> | null;
  /** The columns that were coded for it, or worked more out of; null where it found everything. */
  added: CodedTable | null;
}

/** Answers a question with one page. */
export function answerQuery(input: QueryInput, file: AskedFile): QueryPage | RowsRefusal {
  return runOrRefuse(() => {
    const findAdded = watchCoded(input.coded);
    const result = findResult(input);
    const page =
      result.grouped === null ? writeRows(input, result) : writeGroups(input, result, result.grouped);
    const { plan } = input;
    const room = { bytes: plan.rowsResponseBytes };
    const facets = plan.question.facets.map((name) =>
      encodeFacet(plan, result.columnOf(name), result.selected, room),
    );
    const counts = { matched: result.selected.length, found: result.order.length };
    const json = encodePage(plan, file, { ...page, ...counts, facets });
    const { offset } = plan.question;
    const rowNumbers = result.grouped === null ? result.order.slice(offset, offset + page.returned) : null;
    return { ok: true, json, rowNumbers, added: findAdded(result.coded) };
  });
}

/** Answers a question of one pass with the page that the rows reader read for it. */
export function answerByPage(plan: QueryPlan, file: AskedFile, page: RowsPage): QueryPage {
  const json = encodePage(plan, file, { ...page, found: page.matched, facets: [] });
  return { ok: true, json, rowNumbers: page.numbers, added: null };
}

interface WrittenRows {
  rows: Uint8Array;
  returned: number;
}

const FIRST_BYTES = 16_384;

/** Writes rows of the table as the rows reader does, up to the bound of an answer. */
function writeRows({ plan, bytes }: QueryInput, { coded, order }: QueryResult): WrittenRows {
  const { offset, limit } = plan.question;
  const reader = createReader(plan, plan.columns);
  const page = startPage(plan, reader, FIRST_BYTES);
  for (let at = offset; at < Math.min(offset + limit, order.length) && !page.isFull; at++) {
    addRow(page, bytes, coded.starts[order[at] as number] as number);
  }
  return { rows: page.writer.out.subarray(0, page.writer.length), returned: page.returned };
}

function writeGroups({ plan }: QueryInput, { order }: QueryResult, grouped: ResultColumn[]): WrittenRows {
  const { offset, limit } = plan.question;
  const rows: string[] = [];
  let bytes = 0;
  for (const group of order.subarray(
    Math.min(offset, order.length),
    Math.min(offset + limit, order.length),
  )) {
    const cells = grouped.map(({ kind, text, isText }) => encodeCell(kind(group), () => text(group), isText));
    const row = `[${cells.join(",")}]`;
    bytes += Buffer.byteLength(row) + 1;
    if (bytes > plan.rowsResponseBytes && rows.length > 0) break;
    rows.push(row);
  }
  return { rows: Buffer.from(rows.join(",")), returned: rows.length };
}

/** A page, and what there is besides. */
interface PageParts extends WrittenRows {
  /** Rows of the table that meet the conditions. */
  matched: number;
  /** Rows of the result, groups or not, before offset and limit. */
  found: number;
  facets: string[];
}

function encodePage(
  plan: QueryPlan,
  file: AskedFile,
  { rows, returned, matched, found, facets }: PageParts,
): Uint8Array {
  const { question, columns, total, table } = plan;
  const end = question.offset + returned;
  const head = {
    asset_id: file.assetId,
    content_sha256: file.contentSha256,
    table,
    columns,
  };
  const counts = {
    returned,
    matched,
    groups: isGrouped(question) && question.groups.length > 0 ? found : null,
    total,
    next_offset: end < found && returned > 0 ? end : null,
  };
  return joinBytes([
    Buffer.from(`${JSON.stringify(head).slice(0, -1)},"rows":[`),
    rows,
    Buffer.from(`],${JSON.stringify(counts).slice(1, -1)},"facets":[${facets.join(",")}],`),
    Buffer.from(
      `"question":${writeCanonical(question)},"blank_from":${JSON.stringify(nameBlankFrom(question))}`,
    ),
    Buffer.from(isGrouped(question) ? "" : countLeftOut(question.columns, plan)),
    Buffer.from(plan.notesCut && counts.next_offset !== null && returned < question.limit ? `${CUT}}` : "}"),
  ]);
}

/** What the selected rows hold in one column, as JSON text; `room` is how many bytes all facets may still take. */
function encodeFacet(
  plan: QueryPlan,
  column: CodedColumn,
  rows: Uint32Array,
  room: { bytes: number },
): string {
  const { codes, kinds, name } = column;
  const counts = new Uint32Array(kinds.length);
  // In the order of their first rows, which the sort keeps for equal counts.
  const filled: number[] = [];
  let blanks = 0;
  for (const row of rows) {
    const code = codes[row] as number;
    if (kinds[code] === KIND.blank) blanks++;
    else if (counts[code] === 0) filled.push(code);
    counts[code] = (counts[code] as number) + 1;
  }
  filled.sort((one, other) => (counts[other] as number) - (counts[one] as number));
  const textOf = createTextReader(column);
  const values: string[] = [];
  let others = rows.length - blanks;
  for (const code of filled.slice(0, plan.question.facetSize)) {
    const value = encodeCell(kinds[code] as number, () => textOf(code), plan.format === "csv");
    const count = counts[code] as number;
    room.bytes -= Buffer.byteLength(value);
    if (room.bytes < 0 && values.length > 0) break;
    values.push(`{"value":${value},"count":${count}}`);
    others -= count;
  }
  const head = `{"column":${JSON.stringify(name)},"distinct":${filled.length},"blanks":${blanks}`;
  return `${head},"values":[${values.join(",")}],"others":${others}}`;
}
