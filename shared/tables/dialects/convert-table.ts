import { askWhetherMeant, shortenName } from "../../ground/nearest-name.ts";
import { FileRefused } from "../inspection/verdict.ts";
import { copyBytes, createRowWriter, makeRoom, type RowWriter, takeBytes } from "../rows/cells.ts";
import { endCsvLine, writeCsvBlank, writeCsvValue, writeHeader } from "../rows/text-rows.ts";
import { canonicalDialect } from "./canonical-dialect.ts";
import {
  describePoints,
  describeQuotes,
  describeReading,
  noteForeign,
  type WrittenCells,
} from "./describe-reading.ts";
import { type Converted, type Dialect, DialectRefused } from "./dialect.ts";
import { UTF_8 } from "./encodings.ts";
import { type FollowedTable, findSourceRow, startTable, type TableHooks } from "./follow-table.ts";
import {
  convertNumber,
  findDecimal,
  findMarks,
  type NumberMarks,
  notePoint,
  surveyNumbers,
} from "./number-marks.ts";
import { findEncoding, type OpenFile, readTable } from "./read-table.ts";
import type { TableName } from "./table-names.ts";

/** A conversion that begins when its bytes are read; `finish` tells of it once they were read to their end. */
export interface Conversion {
  bytes: AsyncIterable<Uint8Array>;
  finish(): Converted;
}

const [COMMA, POINT] = [0x2c, 0x2e];
const FIRST_BYTES = 196_608;
/** A comma fits behind a number without another check. */
const ROOM = 16;

/**
 * Reads a file by a settled dialect, and gives the canonical bytes: those of `rows/all.csv` without a
 * condition. Reading them throws `FileRefused` where the file is no sound table by it, and `DialectRefused` where the file
 * shows that a member cannot be meant.
 */
export function convertTable(
  open: OpenFile,
  dialect: Dialect,
  mostBytes: number,
  shows?: TableHooks["shows"],
): Conversion {
  let converted: Converted | null = null;
  async function* convert(): AsyncGenerator<Uint8Array> {
    const table = startTable(dialect);
    const writing = startWriting(dialect, await surveyNumbers(open, dialect));
    const hooks = { ...writeTo(writing), ...(shows && { shows }) };
    let written = 0;
    for await (const _ of readTable(open, table, hooks)) {
      written += writing.writer.length;
      if (written > mostBytes) throw refuseLarge(mostBytes);
      // The bytes of a file with rows of other widths lead to its refusal.
      if (writing.writer.length > 0 && table.ragged.length === 0) yield takeBytes(writing.writer);
      writing.writer.length = 0;
    }
    converted = describe(table, writing);
  }
  return {
    bytes: { [Symbol.asyncIterator]: convert },
    finish() {
      if (converted === null) throw new Error("the bytes of a conversion have to be read to their end");
      return converted;
    },
  };
}

function refuseLarge(mostBytes: number): FileRefused {
  return new FileRefused(
    `As canonical CSV the file has over ${mostBytes.toLocaleString("en")} bytes. Split it into several files.`,
  );
}

/** The canonical file, as far as it was written. */
interface Writing extends WrittenCells {
  writer: RowWriter;
  width: number;
  dialect: Dialect;
  marked: readonly number[];
}

function startWriting(dialect: Dialect, marked: readonly number[]): Writing {
  return {
    writer: createRowWriter(FIRST_BYTES),
    ...{ width: 0, isMarked: [], unlike: [], points: [], dialect, marked },
    foreign: findEncoding(dialect) === UTF_8 ? null : { count: 0, first: [] },
  };
}

function writeTo(writing: Writing): TableHooks {
  const { writer, foreign, isMarked, unlike, points } = writing;
  const marks = findMarks(writing.dialect);
  return {
    names(names, row) {
      writing.width = names.length;
      for (const at of findNamedColumns(writing, names)) isMarked[at] = true;
      const header = writeHeader(names.map(({ name }) => name));
      makeRoom(writer, header.length);
      copyBytes(writer, header, 0, header.length);
      for (const { name } of names) {
        const bytes = Buffer.from(name);
        if (foreign !== null) noteForeign(foreign, bytes, 0, bytes.length, row);
      }
    },
    value(bytes, start, end, column, row) {
      if (column > 0) writer.out[writer.length++] = COMMA;
      if (start === end) return writeCsvBlank(writer, writing.width === 1);
      if (foreign !== null) noteForeign(foreign, bytes, start, end, row);
      if (marks === null || isMarked[column] !== true) {
        notePoint(points, column, row, bytes, start, end);
        return writeCsvValue(writer, bytes, start, end);
      }
      if (!writeNumber(writer, marks, bytes, start, end)) unlike[column] = (unlike[column] ?? 0) + 1;
    },
    endRow: () => endCsvLine(writer),
  };
}

/** Writes a cell as a number that everybody reads; false where it is none by the marks, and stays as it is. */
function writeNumber(
  writer: RowWriter,
  marks: NumberMarks,
  bytes: Buffer,
  start: number,
  end: number,
): boolean {
  const at = findDecimal(bytes, start, end, marks);
  if (at !== -1) {
    makeRoom(writer, end - start + ROOM);
    const from = writer.length;
    copyBytes(writer, bytes, start, end);
    if (at < end) writer.out[from + at - start] = POINT;
    return true;
  }
  const number = convertNumber(marks, bytes.toString("utf8", start, end));
  if (number === null) writeCsvValue(writer, bytes, start, end);
  else writeCsvValue(writer, Buffer.from(number), 0, number.length);
  return number !== null;
}

/** The places of the columns whose numbers are rewritten. Throws `DialectRefused` where a named one is not there. */
function findNamedColumns({ dialect, marked }: Writing, names: readonly TableName[]): readonly number[] {
  if (dialect.columns === undefined) return marked;
  const known = names.map(({ name }) => name);
  const places = dialect.columns.map((name) => known.indexOf(name));
  const faults = dialect.columns.flatMap((name, at): [string, string[]][] => {
    if (places[at] !== -1) return [];
    return [
      [`dialect.columns.${at}`, [`There is no column ${shortenName(name)}.${askWhetherMeant(name, known)}`]],
    ];
  });
  if (faults.length > 0) throw new DialectRefused(Object.fromEntries(faults));
  return places;
}

function describe(table: FollowedTable, writing: Writing): Converted {
  const names = [...(table.names ?? [])];
  const { dialect, leftOut, leftOutCount } = table;
  const columns = names.flatMap(({ name }, at) => (writing.isMarked[at] === true ? [name] : []));
  const hasMarks = findMarks(dialect) !== null;
  return {
    dialect: canonicalDialect({ ...dialect, ...(hasMarks && { columns }) }),
    changes: describeReading(table, writing),
    left_out: leftOut,
    left_out_count: leftOutCount,
    names,
    hints: [...describeQuotes(table), ...describePoints(dialect, names, writing)],
    sourceRow: (row) => findSourceRow(table, row),
  };
}
