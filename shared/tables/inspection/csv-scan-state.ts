import { isAddress } from "./cell-kinds.ts";
import { BLANK } from "./csv-cells.ts";

/** The state of a scan between two lines, and what it tells of each record. */
export type CsvScan = ReturnType<typeof startCsvScan>;

/** The scan's calls for each record: `start` and `end` are in its buffer, without the line end. */
export interface CsvListener {
  /** The bytes up to `end` in the buffer are whole lines, which are read next. */
  lines(scan: CsvScan, end: number): void;
  record(scan: CsvScan, cells: number, start: number, end: number, isBlank: boolean): void;
  /** A record has text after a closing quote, so its values cannot be told; its line ends it. */
  brokenRecord(scan: CsvScan): void;
  /** A column has the first cell of a kind or with a mark, from `start` to `end` in the buffer with its quotes. */
  newKind(scan: CsvScan, column: number, start: number, end: number): void;
  /** `count` blank lines come before the next record. */
  blankLines(scan: CsvScan, count: number): void;
}

const FIRST_BUFFER_BYTES = 196_608;

/** Starts a scan for one file. */
export function startCsvScan(listener: CsvListener) {
  return {
    ...{ lines: 0, innerLineFeeds: 0, rowsBefore: 0, feedsBefore: 0 },
    /** The number of cells that a record must have; 0 until the header has been read. */
    width: 0,
    /** One a column: the kinds and `MARKS` of its cells so far, and how many of them are blank. */
    kinds: new Int32Array(0),
    blanks: new Uint32Array(0),
    listener,
    buffer: Buffer.alloc(FIRST_BUFFER_BYTES),
    filled: 0,
    /** Where in the file the buffer begins. */
    offset: 0,
    /** A long record is read again only when it has doubled: its bytes are read twice, not once a block. */
    retryAt: 0,
    /** Blank lines that count only if a record follows: at the end of the file they are ignored. */
    heldBlankLines: 0,
    /** Of the cell read last: its kind with its marks, and the line feeds in it. */
    kind: BLANK,
    cellLineFeeds: 0,
    /** Columns of the record at hand whose cell is blank, and how many there are. */
    blankColumns: new Uint32Array(0),
    blankCount: 0,
    /** Its cells with marks that are counted: column, start, end and kind of each, and how many numbers these are. */
    marked: new Int32Array(0),
    markedCount: 0,
    /** Of each name: how many bytes it has, and whether it is an address. */
    nameLengths: new Uint32Array(0),
    addressNames: new Uint8Array(0),
  };
}

/** Sets the names, as many as every record must have values, before the first of them is read. */
export function setNames(scan: CsvScan, names: readonly string[]): void {
  const width = names.length;
  scan.width = width;
  scan.kinds = new Int32Array(width);
  scan.blanks = new Uint32Array(width);
  scan.blankColumns = new Uint32Array(width);
  scan.marked = new Int32Array(4 * width);
  scan.nameLengths = Uint32Array.from(names, (name) => Buffer.byteLength(name));
  scan.addressNames = Uint8Array.from(names, (name) => Number(isAddress(name.trim())));
}
