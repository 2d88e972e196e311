import { readBlocks, refuseByte } from "./byte-blocks.ts";
import { finishColumn } from "./column-types.ts";
import {
  type CsvListener,
  type CsvScan,
  checkRest,
  countLines,
  finishScan,
  scanBlock,
  setWidth,
  startCsvScan,
} from "./csv-scan.ts";
import { decodeCsvRecord } from "./csv-text.ts";
import { encodeIndex, type IndexedTable, notePlace, startIndex } from "./reading-index.ts";
import { createSample, encodeInspection, type Sample } from "./sample.ts";
import { refuseWideTable } from "./table-width.ts";
import { FileRefused, type Verdict } from "./verdict.ts";

const CR = 0x0d;

interface OpenTable {
  names: string[];
  rowCount: number;
  sample: Sample<string[]>;
  index: IndexedTable;
  nextPlaceAt: number;
  /** Where the line after the header begins. */
  firstRowAt: number;
}

/** Inspects a CSV source in one pass. Throws `FileRefused` with the row and the mend. */
export async function inspectCsv(
  source: AsyncIterable<Uint8Array>,
  blockBytes?: number,
): Promise<Verdict & { ok: true }> {
  const table: OpenTable = {
    names: [],
    rowCount: 0,
    sample: createSample<string[]>((row) => encodeCsvRow(row)),
    index: startIndex(null),
    nextPlaceAt: 0,
    firstRowAt: 0,
  };
  const scan = startCsvScan(listenFor(table));
  for await (const block of readBlocks(source, blockBytes)) {
    scanBlock(scan, block);
    if (block.badAt === null) continue;
    checkRest(scan);
    throw refuseByte(countLines(scan), block.badAt);
  }
  finishScan(scan);
  return finishTable(table, scan);
}

function listenFor(table: OpenTable): CsvListener {
  return {
    record: (scan, cells, start, end, isBlank) => {
      if (scan.width === 0) return startTable(table, scan, start, end);
      const row = table.rowCount++;
      if (cells !== scan.width) throw refuseRagged(table.names, cells, isBlank, row + 2);
      if (row < 10) table.sample.add([...decodeCsvRecord(scan.buffer, start, end)]);
      const offset = scan.offset + start;
      if (offset >= table.nextPlaceAt) table.nextPlaceAt = notePlace(table.index, row, offset);
      table.index.end = scan.offset + end;
    },
    blankLines: (scan, count) => {
      if (scan.width === 0) startNames(table, [""]);
      if (scan.width !== 1) throw refuseRagged(table.names, 1, true, table.rowCount + 2);
      if (table.rowCount === 0) notePlace(table.index, 0, table.firstRowAt);
      for (let row = table.rowCount; row < Math.min(table.rowCount + count, 10); row++)
        table.sample.add([""]);
      table.rowCount += count;
      scan.blanks[0] = (scan.blanks[0] ?? 0) + count;
    },
  };
}

function startTable(table: OpenTable, scan: CsvScan, start: number, end: number): void {
  startNames(table, decodeCsvRecord(scan.buffer, start, end));
  setWidth(scan, table.names.length);
  table.firstRowAt = scan.offset + end + (scan.buffer[end] === CR ? 2 : 1);
}

function finishTable(table: OpenTable, scan: CsvScan): Verdict & { ok: true } {
  const { names, rowCount, sample, index } = table;
  if (names.length === 0)
    throw new FileRefused("Row 1 is missing: the file is empty. Start it with the column names.");
  const columns = names.map((name, column) => {
    const filled = rowCount - (scan.blanks[column] ?? 0);
    return finishColumn({ name, kinds: scan.kinds[column] ?? 0, filled }, rowCount);
  });
  index.rowCount = rowCount;
  return {
    ok: true,
    ...encodeInspection(rowCount, columns, sample.rows()),
    tables: [],
    hints: [...findHeaderHints(names), ...sample.hints()],
    readingIndex: encodeIndex({ tables: [index] }),
  };
}

function encodeCsvRow(row: string[]): string {
  return JSON.stringify(row.map((cell) => (cell === "" ? null : cell)));
}

function startNames(table: OpenTable, names: Iterable<string>): void {
  const first = new Map<string, number>();
  let characters = 0;
  for (const name of names) {
    const column = first.size + 1;
    if (name.trim() === "") {
      throw new FileRefused(
        `Row 1, the header, has no name for column ${column}. Give every column a name of its own.`,
      );
    }
    const earlier = first.get(name);
    if (earlier !== undefined) {
      throw new FileRefused(
        `Row 1, the header, uses one name for columns ${earlier} and ${column}: "${clip(name)}". Give every column a name of its own.`,
      );
    }
    first.set(name, column);
    characters += name.length;
  }
  refuseWideTable(first.size, characters);
  table.names = [...first.keys()];
}

function refuseRagged(names: string[], cells: number, isBlank: boolean, row: number): FileRefused {
  const values = cells === 1 ? "1 value" : `${cells} values`;
  const mend = isBlank
    ? "Row 1 is the header. This row is a blank line: remove it."
    : "Row 1 is the header. Give every row one value per column, and quote a value that holds a comma.";
  const hint = findSeparatorHint(names);
  return new FileRefused(
    `Row ${row} has ${values}; the header has ${names.length}. ${mend}${hint === null ? "" : ` ${hint}`}`,
  );
}

function findHeaderHints(names: string[]): string[] {
  const hints: string[] = [];
  const separator = findSeparatorHint(names);
  if (separator !== null) hints.push(separator);
  const composed = new Map<string, string>();
  for (const name of names) {
    const normal = name.normalize("NFC");
    if (composed.has(normal)) {
      hints.push(`Two column names look the same but are encoded differently: "${clip(normal)}".`);
    }
    composed.set(normal, name);
  }
  return hints;
}

const OTHER_SEPARATORS = [
  { mark: ";", plural: "semicolons" },
  { mark: "\t", plural: "tabs" },
  { mark: "|", plural: "vertical bars" },
];

function findSeparatorHint(names: string[]): string | null {
  const [only] = names;
  if (names.length !== 1 || only === undefined) return null;
  const found = OTHER_SEPARATORS.find((separator) => only.includes(separator.mark));
  if (found === undefined) return null;
  return `The header has ${found.plural} and no comma, so it names one column: "${clip(only)}". Only commas separate values.`;
}

function clip(name: string): string {
  const characters = Array.from(name.slice(0, 200));
  return characters.length > 60 ? `${characters.slice(0, 60).join("")}…` : name;
}
