import { readBlocks } from "./byte-blocks.ts";
import { KIND_BITS } from "./column-types.ts";
import { countFromHere } from "./csv-place.ts";
import { type CsvScan, setWidth, startCsvScan } from "./csv-scan.ts";
import { finishTable, listenFor, type OpenTable, openTable, readRecords } from "./csv-table.ts";
import { decodeIndex, placeAfter } from "./reading-index.ts";
import { SAMPLE_ROWS, type Sample } from "./sample.ts";
import { FileRefused, type Inspection, type TableInspection, type Verdict } from "./verdict.ts";

/** What was found of a CSV file that passed inspection. */
export interface InspectedBase {
  inspection: Inspection;
  hints: readonly string[];
  readingIndex: Uint8Array;
}

/** The part of a file that was appended: its bytes, and the byte of the file at which they begin. */
export interface AppendedBytes {
  bytes: AsyncIterable<Uint8Array>;
  from: number;
}

/** The part has a cell that what is known of the base does not suffice for. */
class NeedsWhole extends Error {}

/**
 * Inspects a CSV file that is a base and the rows that were appended to it, from the verdict on the base and the bytes
 * of the part alone. Null where the whole has to be read: the verdict is the same either way, and a refusal is left to
 * the reading of the whole, as is every file that hints are given for.
 */
export async function inspectContinued(
  base: InspectedBase,
  part: AppendedBytes,
  blockBytes?: number,
): Promise<(Verdict & { ok: true }) | null> {
  const table = continueTable(base);
  if (table === null) return null;
  const { columns } = base.inspection as TableInspection;
  const { newKind, ...listener } = listenFor(table);
  const scan = startCsvScan({
    ...listener,
    newKind: (own, column, start, end) => {
      // A hint tells the first cell of each kind, and those of the base are not kept.
      if (columns[column]?.type !== "blank") throw new NeedsWhole();
      newKind(own, column, start, end);
    },
  });
  continueScan(scan, table, columns);
  try {
    await readRecords(table, scan, readBlocks(part.bytes, blockBytes, part.from));
  } catch (error) {
    if (error instanceof NeedsWhole || error instanceof FileRefused) return null;
    throw error;
  }
  return finishTable(table, scan);
}

/** The table as it stands behind its base; null where what is kept of the base does not tell. */
function continueTable({ inspection, hints, readingIndex }: InspectedBase): OpenTable | null {
  const [index, ...others] = decodeIndex(readingIndex)?.tables ?? [];
  if (inspection.kind !== "table" || hints.length > 0 || index === undefined || others.length > 0)
    return null;
  const { columns, row_count: rowCount, sample } = inspection;
  if (sample.length < SAMPLE_ROWS || columns.some(({ type }) => type === "mixed")) return null;
  return {
    ...openTable(),
    names: columns.map(({ name }) => name),
    rowCount,
    rowsBefore: rowCount,
    sample: fullSample(sample.map((row) => JSON.stringify(row))),
    index,
    nextPlaceAt: placeAfter(index),
    firstRowAt: index.offsets[0] ?? 0,
    firstCells: columns.map(() => []),
  };
}

/** A sample that takes no further row. */
function fullSample(rows: string[]): Sample<string[]> {
  return { add: () => undefined, rows: () => rows, hints: () => [] };
}

/** The scan as it stands before the first record of the part. */
function continueScan(
  scan: CsvScan,
  { names, rowCount }: OpenTable,
  columns: TableInspection["columns"],
): void {
  setWidth(scan, names.length);
  for (const [at, { type, blanks }] of columns.entries()) {
    scan.kinds[at] = type === "blank" || type === "mixed" ? 0 : KIND_BITS[type];
    scan.blanks[at] = blanks;
  }
  // The header is a record, too.
  scan.lines = rowCount + 1;
  countFromHere(scan, names);
}
