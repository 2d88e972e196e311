import { cutBlocksAt, readBlocks } from "./byte-blocks.ts";
import { MARKS } from "./cell-marks.ts";
import { type FirstCell, finishColumn, kindsOfCsv } from "./column-types.ts";
import { refuseDoubts } from "./csv-doubts.ts";
import { countFromHere, noteRagged, placeRow, type RaggedRecord, refuseRagged } from "./csv-faults.ts";
import { decodeCsvRecord, readHeader, refuseUnseenNames } from "./csv-header.ts";
import { findCsvHints } from "./csv-hints.ts";
import { checkRest, countScannedLines, finishScan, readWholeLines, scanBlock } from "./csv-scan.ts";
import { type CsvListener, type CsvScan, setNames, startCsvScan } from "./csv-scan-state.ts";
import { leaveOutSeparator } from "./csv-separators.ts";
import { type CsvSurvey, listTallies, startSurvey, surveyRecord } from "./csv-survey.ts";
import { type Block, refuseByte } from "./encoding.ts";
import { collectHints } from "./hints.ts";
import { placeLetters, startLetters, watchLetters } from "./letters.ts";
import { refuseOtherKinds } from "./other-kinds.ts";
import { encodeIndex, notePlace, startIndex } from "./reading-index.ts";
import {
  encodeInspection,
  encodeSample,
  FileRefused,
  type InspectOptions,
  SAMPLE_ROWS,
  type Verdict,
} from "./verdict.ts";

const CR = 0x0d;
// Hints show some characters of a cell.
const FIRST_CELL_BYTES = 400;

/** A table, as far as its records were read. */
export type OpenTable = ReturnType<typeof openTable>;

/**
 * Inspects a CSV source in one pass. Throws `FileRefused`, which names the row and the remedy. Rows that were appended
 * begin at the byte `partFrom`: their refusals count rows as the part has them.
 */
export async function inspectCsv(
  source: AsyncIterable<Uint8Array>,
  { blockBytes, partFrom, isNamed = false, sourceRow = (row) => row }: InspectOptions = {},
): Promise<Verdict & { ok: true }> {
  const table = openTable();
  const scan = startCsvScan(listenFor(table));
  const blocks = readBlocks(source, blockBytes);
  if (partFrom === undefined) {
    await readRecords(table, scan, refuseOtherKinds(blocks, isNamed));
    refuseUnseenNames(table.names);
    const { survey } = table;
    // The quotes around the commas of a file that was converted are not the sender's.
    if (isNamed && survey !== null) leaveOutSeparator(survey.separators, ",");
    if (!isNamed && survey !== null) refuseDoubts(survey);
  } else {
    // A base that was accepted once goes on growing.
    await readRecords(
      table,
      scan,
      cutBlocksAt(blocks, partFrom, () => beginPart(table, scan)),
    );
  }
  return finishTable(table, scan, sourceRow);
}

/** A table before its first byte. */
export function openTable() {
  return {
    names: [] as string[],
    rowCount: 0,
    /** The first rows. */
    sample: [] as string[][],
    index: startIndex(null),
    nextPlaceAt: 0,
    /** Where the line after the header begins. */
    firstRowAt: 0,
    /** For each column the first cell of each kind. */
    firstCells: [] as FirstCell[][],
    /** The records that have more or fewer values than the header. */
    ragged: [] as RaggedRecord[],
    /** The rows before an appended part; null where there is none. */
    rowsBefore: null as number | null,
    /** What the rows have besides; null before the header. */
    survey: null as CsvSurvey | null,
    letters: startLetters(),
  };
}

/** Reads blocks to their end. Throws `FileRefused`. */
export async function readRecords(
  table: OpenTable,
  scan: CsvScan,
  blocks: AsyncIterable<Block>,
): Promise<void> {
  try {
    for await (const block of blocks) {
      scanBlock(scan, block);
      if (block.bad === null) continue;
      checkRest(scan);
      throw refuseByte(countScannedLines(scan), block.bad, true);
    }
    finishScan(scan);
  } catch (error) {
    // A record that stands before another fault of the file is told first.
    if (error instanceof FileRefused && table.ragged.length > 0)
      throw refuseRagged(table.names, table.ragged);
    throw error;
  }
  if (table.ragged.length > 0) throw refuseRagged(table.names, table.ragged);
}

/** What takes in the records of a table. */
export function listenFor(table: OpenTable): CsvListener {
  return {
    lines: (scan, end) => watchLetters(table.letters, scan, end),
    record: (scan, cells, start, end, isBlank) => {
      if (scan.width === 0) return startTable(table, scan, start, end);
      const row = table.rowCount++;
      if (cells !== scan.width)
        return noteRagged(table.ragged, table.names, { ...placeRow(scan, row + 2), cells, isBlank });
      if (table.survey !== null) surveyRecord(table.survey, scan, start, end);
      if (table.letters.pending.length > 0) placeLetters(table.letters, scan, start, end);
      if (row < SAMPLE_ROWS) table.sample.push([...decodeCsvRecord(scan.buffer, start, end)]);
      const offset = scan.offset + start;
      if (offset >= table.nextPlaceAt) table.nextPlaceAt = notePlace(table.index, row, offset);
      table.index.end = scan.offset + end;
    },
    brokenRecord: (scan) =>
      noteRagged(table.ragged, table.names, {
        ...placeRow(scan, table.rowCount++ + 2),
        ...{ cells: null, isBlank: false },
      }),
    newKind: (scan, column, start, end) => {
      const kind = kindsOfCsv(scan.kind & ~MARKS.zero & ~MARKS.code);
      const first = table.firstCells[column];
      if (first === undefined || first.some((cell) => cell.kind === kind)) return;
      const [text = ""] = decodeCsvRecord(scan.buffer, start, Math.min(end, start + FIRST_CELL_BYTES));
      first.push({ kind, row: scan.lines + 1, text });
    },
    blankLines: (scan, count) => {
      if (scan.width === 0) readHeader([""]);
      if (scan.width !== 1) return noteBlankLines(table, scan, count);
      if (table.rowCount === 0) notePlace(table.index, 0, table.firstRowAt);
      for (let row = table.rowCount; row < Math.min(table.rowCount + count, SAMPLE_ROWS); row++)
        table.sample.push([""]);
      table.rowCount += count;
      scan.blanks[0] = (scan.blanks[0] ?? 0) + count;
    },
  };
}

function noteBlankLines(table: OpenTable, scan: CsvScan, count: number): void {
  for (let blank = 0; blank < count; blank++) {
    const place = placeRow(scan, table.rowCount++ + 2);
    noteRagged(table.ragged, table.names, { ...place, cells: 1, isBlank: true });
  }
}

/** Every record before the part has ended, because a line end stands between. */
function beginPart(table: OpenTable, scan: CsvScan): void {
  readWholeLines(scan);
  table.rowsBefore = table.rowCount;
  countFromHere(scan, table.names);
}

function startTable(table: OpenTable, scan: CsvScan, start: number, end: number): void {
  table.names = readHeader(decodeCsvRecord(scan.buffer, start, end));
  table.firstCells = table.names.map(() => []);
  setNames(scan, table.names);
  table.survey = startSurvey(scan.buffer.subarray(start, end), table.names);
  placeLetters(table.letters, scan, start, end);
  table.firstRowAt = scan.offset + end + (scan.buffer[end] === CR ? 2 : 1);
}

/** The verdict on a table whose records were all read. */
export function finishTable(
  table: OpenTable,
  scan: CsvScan,
  sourceRow: (row: number) => number,
): Verdict & { ok: true } {
  const { names, rowCount, rowsBefore, index, survey } = table;
  if (survey === null)
    throw new FileRefused("Row 1 is missing: the file is empty. Start it with the column names.");
  const columns = names.map((name, column) => {
    const filled = rowCount - (scan.blanks[column] ?? 0);
    return finishColumn({ name, kinds: kindsOfCsv(scan.kinds[column] ?? 0), filled }, rowCount);
  });
  index.rowCount = rowCount;
  const sample = encodeSample(table.sample, encodeCsvRow);
  const surveyed = columns.map((column, at) => ({
    ...column,
    bits: scan.kinds[at] ?? 0,
    filled: rowCount - column.blanks,
    first: (table.firstCells[at] ?? []).map((cell) => ({ ...cell, row: sourceRow(cell.row) })),
  }));
  for (const tally of [...listTallies(survey), table.letters.broken, table.letters.unseen])
    tally.rows = tally.rows.map(sourceRow).filter((row) => row > 0);
  return {
    ok: true,
    ...encodeInspection(rowCount, columns, sample.rows),
    tables: [],
    hints: collectHints([
      ...findCsvHints(surveyed, rowCount, survey, table.letters, sourceRow),
      ...sample.hints.map((cut) => ({ ...cut, rows: cut.rows.map(sourceRow) })),
    ]),
    readingIndex: encodeIndex({ tables: [index] }),
    ...(rowsBefore === null ? {} : { rowsAdded: rowCount - rowsBefore }),
  };
}

function encodeCsvRow(row: string[]): string {
  return JSON.stringify(row.map((cell) => (cell === "" ? null : cell)));
}
