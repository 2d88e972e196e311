import { readBlocks } from "./byte-blocks.ts";
import { refuseByte } from "./encoding.ts";
import { finishColumns, type OpenList } from "./json-lists.ts";
import { finishJsonScan, scanJsonBlock } from "./json-scan.ts";
import { type JsonScan, startJsonScan } from "./json-scan-state.ts";
import { type JsonRecord, readJsonRecord } from "./json-text.ts";
import { encodeIndex } from "./reading-index.ts";
import { createSample, encodeInspection, type Sample } from "./sample.ts";
import type { DocumentInspection, TableSummary, Verdict } from "./verdict.ts";

/** Inspects a JSON source in one pass. Throws `FileRefused` with line and column. */
export async function inspectJson(
  source: AsyncIterable<Uint8Array>,
  blockBytes?: number,
): Promise<Verdict & { ok: true }> {
  const records: JsonRecord[] = [];
  const scan = startJsonScan((text) => records.push(readJsonRecord(text)));
  for await (const block of readBlocks(source, blockBytes)) {
    scanJsonBlock(scan, block);
    if (block.bad !== null) throw refuseByte(scan.place.line, block.bad);
  }
  finishJsonScan(scan);
  const hints = scan.hasRepeatedKey ? ["A key is repeated within one object; its last value counts."] : [];
  const whole = scan.lists.finished.get(null);
  return whole === undefined ? finishDocument(scan, hints) : finishTable(whole, records, hints);
}

function finishTable(list: OpenList, records: JsonRecord[], hints: string[]): Verdict & { ok: true } {
  const columns = finishColumns(list);
  const sample: Sample<JsonRecord> = createSample((record) => {
    return `[${columns.map((column) => record.get(column.name) ?? "null").join(",")}]`;
  });
  for (const record of records) sample.add(record);
  return {
    ok: true,
    ...encodeInspection(list.rowCount, columns, sample.rows()),
    tables: [],
    hints: [...hints, ...sample.hints()],
    readingIndex: encodeIndex({ tables: [list.index] }),
  };
}

function finishDocument(scan: JsonScan, hints: string[]): Verdict & { ok: true } {
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
    hints,
    readingIndex: lists.length === 0 ? null : encodeIndex({ tables: lists.map((list) => list.index) }),
  };
}
