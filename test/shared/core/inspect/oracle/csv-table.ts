import { type FirstCell, findColumnHints } from "../../../../../shared/core/inspect/column-hints.ts";
import {
  type ColumnTally,
  finishColumn,
  startTally,
  tallyCsvCell,
} from "../../../../../shared/core/inspect/column-types.ts";
import { findHeaderHints, readHeader, refuseRagged } from "../../../../../shared/core/inspect/csv-header.ts";
import { createSample, encodeInspection } from "../../../../../shared/core/inspect/sample.ts";
import { FileRefused, type Verdict } from "../../../../../shared/core/inspect/verdict.ts";
import { readCsvRecords } from "./csv-records.ts";

/** Inspects a CSV source in one pass. Throws `FileRefused` with the row and the mend. */
export async function inspectCsv(
  source: AsyncIterable<Uint8Array>,
  blockBytes?: number,
): Promise<Verdict & { ok: true }> {
  let columns: ColumnTally[] | null = null;
  let rowCount = 0;
  let innerLineFeeds = 0;
  let firstCells: FirstCell[][] = [];
  const sample = createSample<string[]>((row) => encodeCsvRow(row));
  for await (const records of readCsvRecords(source, blockBytes)) {
    for (const record of records) {
      const line = rowCount + 2 + innerLineFeeds;
      innerLineFeeds += record.join("").split("\n").length - 1;
      if (columns === null) {
        columns = readHeader(record).map(startTally);
        firstCells = columns.map(() => []);
        continue;
      }
      rowCount++;
      if (record.length !== columns.length) throw refuse(columns, record, rowCount + 1, line);
      for (const [index, tally] of columns.entries()) {
        const before = tally.kinds;
        const text = record[index] ?? "";
        tallyCsvCell(tally, text);
        if (tally.kinds !== before)
          firstCells[index]?.push({ kind: tally.kinds - before, row: rowCount + 1, text });
      }
      sample.add(record);
    }
  }
  if (columns === null)
    throw new FileRefused("Row 1 is missing: the file is empty. Start it with the column names.");
  const finished = columns.map((tally) => finishColumn(tally, rowCount));
  const hints = [
    ...findHeaderHints(columns.map((tally) => tally.name)),
    ...findColumnHints(finished, firstCells),
    ...sample.hints(),
  ];
  return {
    ok: true,
    ...encodeInspection(rowCount, finished, sample.rows()),
    tables: [],
    hints,
    readingIndex: null,
  };
}

function encodeCsvRow(row: string[]): string {
  return JSON.stringify(row.map((cell) => (cell === "" ? null : cell)));
}

function refuse(columns: ColumnTally[], record: string[], row: number, line: number): FileRefused {
  const isBlank = record.length === 1 && record[0] === "";
  const names = columns.map((tally) => tally.name);
  return refuseRagged(names, { row, line, cells: record.length, isBlank });
}
