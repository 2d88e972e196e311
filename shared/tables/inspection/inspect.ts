import { cutBlocksAt, readBlocks } from "./byte-blocks.ts";
import { inspectCsv } from "./csv-table.ts";
import { findDataFrame } from "./data-frames.ts";
import { countLineFeeds, refuseByte } from "./encoding.ts";
import { collectHints, type Hint, hint } from "./hints.ts";
import { findListHints } from "./json-hints.ts";
import { finishColumns, type OpenList } from "./json-lists.ts";
import { finishJsonScan, scanJsonBlock } from "./json-scan.ts";
import { type JsonScan, startJsonScan } from "./json-scan-state.ts";
import { type JsonRecord, readJsonRecord } from "./json-text.ts";
import { encodeIndex } from "./reading-index.ts";
import {
  type DocumentInspection,
  describePartFault,
  encodeInspection,
  encodeSample,
  type FileFormat,
  FileRefused,
  type InspectOptions,
  type TableSummary,
  type Verdict,
} from "./verdict.ts";

/**
 * Reads a file once, as a stream, and returns its description or the reason for its refusal (spec: Asset,
 * file rules). A refusal is one sentence for the file's owner; an error of the source itself is thrown on.
 */
export async function inspectFile(
  source: AsyncIterable<Uint8Array>,
  format: FileFormat,
  options: InspectOptions = {},
): Promise<Verdict> {
  try {
    if (format === "csv") return await inspectCsv(source, options);
    if (format === "json") return await inspectJson(source, options);
    return await inspectText(source, options.blockBytes);
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return {
      ok: false,
      reason: options.partFrom === undefined ? error.message : describePartFault(error.message),
    };
  }
}

async function inspectText(source: AsyncIterable<Uint8Array>, blockBytes?: number): Promise<Verdict> {
  let line = 1;
  for await (const { bytes, bad } of readBlocks(source, blockBytes)) {
    const nul = bytes.indexOf(0);
    line += countLineFeeds(nul === -1 ? bytes : bytes.subarray(0, nul));
    if (nul !== -1) throw new FileRefused(`Line ${line} holds a NUL character. Remove it.`);
    if (bad !== null) throw refuseByte(line, bad);
  }
  return { ok: true, inspection: null, inspectionJson: null, tables: [], hints: [], readingIndex: null };
}

/**
 * Inspects a JSON source in one pass. Throws `FileRefused` with line and column. Records that were appended begin at
 * the byte `partFrom`: their refusals count lines as the part has them.
 */
async function inspectJson(
  source: AsyncIterable<Uint8Array>,
  { blockBytes, partFrom }: InspectOptions = {},
): Promise<Verdict & { ok: true }> {
  const records: JsonRecord[] = [];
  const scan = startJsonScan((text) => records.push(readJsonRecord(text)));
  const part: { rowsBefore: number | null } = { rowsBefore: null };
  const blocks = cutBlocksAt(readBlocks(source, blockBytes), partFrom, () => {
    part.rowsBefore = scan.lists.list?.rowCount ?? 0;
    scan.place = { line: 1, columnBase: 0, lineFrom: 0 };
  });
  for await (const block of blocks) {
    scanJsonBlock(scan, block);
    if (block.bad !== null) throw refuseByte(scan.place.line, block.bad);
  }
  finishJsonScan(scan);
  const repeated = "A key is repeated within one object; its last value counts.";
  const hints = scan.hasRepeatedKey ? [hint("duplicate_keys", repeated)] : [];
  const whole = scan.lists.finished.get(null);
  if (whole !== undefined) return finishTable(whole, records, hints, part.rowsBefore);
  if (part.rowsBefore !== null) throw refuseItem(scan, part.rowsBefore);
  return finishDocument(scan, hints);
}

/** The refusal of a part that is no list of objects: a list stops to count its records at the first other item. */
function refuseItem(scan: JsonScan, rowsBefore: number): FileRefused {
  const item = (scan.lists.list?.rowCount ?? 0) - rowsBefore + 1;
  return new FileRefused(`Item ${item} of the list is no object. Every item has to be one, as in the base.`);
}

function finishTable(
  list: OpenList,
  records: JsonRecord[],
  hints: Hint[],
  rowsBefore: number | null,
): Verdict & { ok: true } {
  const columns = finishColumns(list);
  const sample = encodeSample(
    records,
    (record) => `[${columns.map(({ name }) => record.get(name) ?? "null").join(",")}]`,
  );
  return {
    ok: true,
    ...encodeInspection(list.rowCount, columns, sample.rows),
    tables: [],
    hints: collectHints([...hints, ...findListHints(list, columns), ...sample.hints]),
    readingIndex: encodeIndex({ tables: [list.index] }),
    ...(rowsBefore === null ? {} : { rowsAdded: list.rowCount - rowsBefore }),
  };
}

function finishDocument(scan: JsonScan, hints: Hint[]): Verdict & { ok: true } {
  const lists = Array.from(scan.lists.finished.values());
  const tables = lists.map((list): TableSummary => {
    const { name, rowCount, index } = list;
    return {
      name: name ?? "",
      position: index.position ?? 0,
      row_count: rowCount,
      columns: finishColumns(list),
    };
  });
  const inspection: DocumentInspection = {
    kind: "document",
    outline: scan.outline.root ?? { type: "null" },
    tables: tables.map((table) => table.name),
  };
  return {
    ok: true,
    inspection,
    inspectionJson: JSON.stringify(inspection),
    tables,
    hints: collectHints([
      ...hints,
      ...findDataFrame(inspection.outline),
      ...lists.flatMap((list, at) => findListHints(list, tables[at]?.columns ?? [])),
    ]),
    readingIndex: lists.length === 0 ? null : encodeIndex({ tables: lists.map((list) => list.index) }),
  };
}
