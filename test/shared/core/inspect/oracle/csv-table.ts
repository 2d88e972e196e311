import { findColumnHints } from "../../../../../shared/core/inspect/column-hints.ts";
import { findHeaderHints, readHeader, refuseRagged } from "../../../../../shared/core/inspect/csv-header.ts";
import { FileRefused, type Verdict } from "../../../../../shared/core/inspect/verdict.ts";
import { typeOfText } from "./cell-types.ts";
import { readCsvRecords } from "./csv-records.ts";
import { describeColumns, describeTable } from "./table.ts";

/** Inspects a CSV source with all its records in memory. Throws `FileRefused` with the row and the mend. */
export async function inspectCsv(
  source: AsyncIterable<Uint8Array>,
  blockBytes?: number,
): Promise<Verdict & { ok: true }> {
  let names: string[] | null = null;
  const records: string[][] = [];
  let line = 1;
  for await (const batch of readCsvRecords(source, blockBytes)) {
    for (const record of batch) {
      if (names === null) names = readHeader(record);
      else if (records.push(record) > 0 && record.length !== names.length) {
        const isBlank = record.join() === "" && record.length === 1;
        throw refuseRagged(names, { row: records.length + 1, line, cells: record.length, isBlank });
      }
      line += record.join("").split("\n").length;
    }
  }
  if (names === null)
    throw new FileRefused("Row 1 is missing: the file is empty. Start it with the column names.");
  const typed = records.map((record) =>
    record.map((text) => (text === "" ? null : { type: typeOfText(text), text })),
  );
  const { columns, firstCells } = describeColumns(names, typed);
  const table = describeTable(
    columns,
    records.map((record) => JSON.stringify(record.map((text) => text || null))),
  );
  const hints = [...findHeaderHints(names), ...findColumnHints(columns, firstCells), ...table.hints];
  return { ok: true, ...table, tables: [], hints, readingIndex: null };
}
