import {
  type ColumnTally,
  finishColumn,
  startTally,
  tallyCsvCell,
} from "../../../../../shared/core/inspect/column-types.ts";
import { createSample, encodeInspection } from "../../../../../shared/core/inspect/sample.ts";
import { refuseWideTable } from "../../../../../shared/core/inspect/table-width.ts";
import { FileRefused, type Verdict } from "../../../../../shared/core/inspect/verdict.ts";
import { readCsvRecords } from "./csv-records.ts";

/** Inspects a CSV source in one pass. Throws `FileRefused` with the row and the mend. */
export async function inspectCsv(
  source: AsyncIterable<Uint8Array>,
  blockBytes?: number,
): Promise<Verdict & { ok: true }> {
  let columns: ColumnTally[] | null = null;
  let rowCount = 0;
  const sample = createSample<string[]>((row) => encodeCsvRow(row));
  for await (const records of readCsvRecords(source, blockBytes)) {
    for (const record of records) {
      if (columns === null) {
        columns = readHeader(record);
        continue;
      }
      rowCount++;
      if (record.length !== columns.length) throw refuseRagged(record, columns, rowCount + 1);
      for (const [index, tally] of columns.entries()) tallyCsvCell(tally, record[index] ?? "");
      sample.add(record);
    }
  }
  if (columns === null)
    throw new FileRefused("Row 1 is missing: the file is empty. Start it with the column names.");
  const finished = columns.map((tally) => finishColumn(tally, rowCount));
  const hints = [...findHeaderHints(columns.map((tally) => tally.name)), ...sample.hints()];
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

function readHeader(names: string[]): ColumnTally[] {
  const first = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    if (name.trim() === "") {
      throw new FileRefused(
        `Row 1, the header, has no name for column ${index + 1}. Give every column a name of its own.`,
      );
    }
    const earlier = first.get(name);
    if (earlier !== undefined) {
      throw new FileRefused(
        `Row 1, the header, uses one name for columns ${earlier + 1} and ${index + 1}: "${clip(name)}". Give every column a name of its own.`,
      );
    }
    first.set(name, index);
  }
  refuseWideTable(
    names.length,
    names.reduce((sum, name) => sum + name.length, 0),
  );
  return names.map(startTally);
}

function refuseRagged(record: string[], columns: ColumnTally[], row: number): FileRefused {
  const values = record.length === 1 ? "1 value" : `${record.length} values`;
  const blank = record.length === 1 && record[0] === "";
  const mend = blank
    ? "Row 1 is the header. This row is a blank line: remove it."
    : "Row 1 is the header. Give every row one value per column, and quote a value that holds a comma.";
  const hint = findSeparatorHint(columns.map((tally) => tally.name));
  return new FileRefused(
    `Row ${row} has ${values}; the header has ${columns.length}. ${mend}${hint === null ? "" : ` ${hint}`}`,
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
