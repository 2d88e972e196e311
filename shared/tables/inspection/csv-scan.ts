import { KIND_BITS } from "./column-types.ts";
import { BLANK, classifyQuoted, endsCell, readPlainCell } from "./csv-cells.ts";
import { type CsvPlace, checkCutRecord, placeNext, refuseCsv } from "./csv-faults.ts";
import { type Block, countLineFeeds } from "./encoding.ts";

/**
 * Goes through the records of a CSV file by their bytes, once, and makes no texts. It works on complete
 * lines: the bytes after the last line feed wait for the next block, so the scan reads a record from its
 * start to its end in one piece, and a line feed stops every inner loop.
 */
export interface CsvScan extends CsvPlace {
  /** The number of cells that a record must have; 0 until the header has been read. */
  width: number;
  /** One a column: the kinds of its cells so far, and how many of them are blank. */
  kinds: Uint8Array;
  blanks: Uint32Array;
  listener: CsvListener;
  buffer: Buffer;
  filled: number;
  /** Where in the file the buffer begins. */
  offset: number;
  /** A long record is read again only when it has doubled: its bytes are read twice, not once a block. */
  retryAt: number;
  /** Blank lines that count only if a record follows: at the end of the file they are ignored. */
  heldBlankLines: number;
  /** Of the cell read last: its kind, and the line feeds in it. */
  kind: number;
  cellLineFeeds: number;
  /** Columns of the record at hand whose cell is blank. */
  blankColumns: Uint32Array;
}

/** The scan's calls for each record: `start` and `end` are in its buffer, without the line end. */
export interface CsvListener {
  record(scan: CsvScan, cells: number, start: number, end: number, isBlank: boolean): void;
  /** A record has text after a closing quote, so its values cannot be told; its line ends it. */
  brokenRecord(scan: CsvScan): void;
  /** A column has the first cell of a kind, from `start` to `end` in the buffer with its quotes. */
  newKind(scan: CsvScan, column: number, start: number, end: number): void;
  /** `count` blank lines come before the next record. */
  blankLines(scan: CsvScan, count: number): void;
}

const [LF, CR, COMMA, QUOTE] = [0x0a, 0x0d, 0x2c, 0x22];
const FIRST_BUFFER_BYTES = 196_608;
// The loops may read some bytes past a cell's end before they find it.
const SPARE_BYTES = 64;
const [INCOMPLETE, BROKEN] = [-1, -2];

/** Starts a scan for one file. */
export function startCsvScan(listener: CsvListener): CsvScan {
  return {
    ...{ lines: 0, innerLineFeeds: 0, rowsBefore: 0, feedsBefore: 0 },
    width: 0,
    kinds: new Uint8Array(0),
    blanks: new Uint32Array(0),
    listener,
    buffer: Buffer.alloc(FIRST_BUFFER_BYTES),
    filled: 0,
    offset: 0,
    retryAt: 0,
    heldBlankLines: 0,
    kind: BLANK,
    cellLineFeeds: 0,
    blankColumns: new Uint32Array(0),
  };
}

/** Sets the width that every record must have, before the first of them is read. */
export function setWidth(scan: CsvScan, width: number): void {
  scan.width = width;
  scan.kinds = new Uint8Array(width);
  scan.blanks = new Uint32Array(width);
  scan.blankColumns = new Uint32Array(width);
}

/** Reads the next bytes; throws `FileRefused` on the first record that breaks a rule. */
export function scanBlock(scan: CsvScan, block: Block): void {
  const nul = block.bytes.indexOf(0);
  append(scan, nul === -1 ? block.bytes : block.bytes.subarray(0, nul), block.offset);
  if (nul !== -1) {
    checkRest(scan);
    throw refuseCsv("NUL", placeNext(scan));
  }
  if (scan.filled >= scan.retryAt) readWholeLines(scan);
}

/** Reads the rest before a byte that cannot be read; throws `FileRefused` where it breaks a rule. */
export function checkRest(scan: CsvScan): void {
  readWholeLines(scan);
  const left = checkCutRecord(scan.buffer.subarray(0, scan.filled), placeNext(scan));
  if (left === "broken") endLine(scan);
}

/** Reads the record at hand as if its line ended here. */
function endLine(scan: CsvScan): void {
  append(scan, Buffer.of(LF), scan.offset + scan.filled);
  readWholeLines(scan);
}

/** The line, from 1, of the byte after the last one read. */
export function countScannedLines(scan: CsvScan): number {
  return placeNext(scan).line + countLineFeeds(scan.buffer.subarray(0, scan.filled));
}

/** Reads the last record, when no line end closed it; throws `FileRefused` where the file ends too early. */
export function finishScan(scan: CsvScan): void {
  readWholeLines(scan);
  if (scan.filled === 0) return;
  const left = checkCutRecord(scan.buffer.subarray(0, scan.filled), placeNext(scan));
  if (left === "in quotes") throw refuseCsv("open quote", placeNext(scan));
  if (left === "after CR") throw refuseCsv("bare CR", placeNext(scan));
  endLine(scan);
}

function append(scan: CsvScan, bytes: Uint8Array, offset: number): void {
  const needed = scan.filled + bytes.length + SPARE_BYTES;
  if (needed > scan.buffer.length) {
    const larger = Buffer.alloc(Math.max(needed, 2 * scan.buffer.length));
    scan.buffer.copy(larger, 0, 0, scan.filled);
    scan.buffer = larger;
  }
  if (scan.filled === 0) scan.offset = offset;
  scan.buffer.set(bytes, scan.filled);
  scan.filled += bytes.length;
}

/** Reads the records that are complete, also where they would wait for more bytes. */
export function readWholeLines(scan: CsvScan): void {
  const end = scan.buffer.subarray(0, scan.filled).lastIndexOf(LF) + 1;
  let at = 0;
  while (at < end) {
    const next = readLine(scan, at, end);
    if (next === INCOMPLETE) break;
    at = next;
  }
  scan.buffer.copyWithin(0, at, scan.filled);
  scan.filled -= at;
  scan.offset += at;
  scan.retryAt = 2 * scan.filled;
}

function readLine(scan: CsvScan, start: number, end: number): number {
  const first = scan.buffer[start];
  if (first !== LF && first !== CR) return readRecord(scan, start, end);
  if (first === CR && scan.buffer[start + 1] !== LF) throw refuseCsv("bare CR", placeNext(scan));
  scan.lines++;
  scan.heldBlankLines++;
  return first === CR ? start + 2 : start + 1;
}

function readRecord(scan: CsvScan, start: number, end: number): number {
  const { buffer, width, kinds, blanks, blankColumns } = scan;
  let at = start;
  let cells = 0;
  let blank = 0;
  let lineFeeds = 0;
  for (;;) {
    const from = at;
    if (buffer[at] === QUOTE) {
      at = readQuotedCell(scan, at + 1, end);
      if (at <= BROKEN) return endBroken(scan, start, BROKEN - at);
      if (at === INCOMPLETE) {
        for (let index = 0; index < blank; index++) (blanks[blankColumns[index] as number] as number)--;
        return INCOMPLETE;
      }
      lineFeeds += scan.cellLineFeeds;
    } else {
      at = readPlainCell(scan, buffer, at);
    }
    if (cells < width) {
      const known = kinds[cells] as number;
      if (scan.kind === BLANK) {
        blanks[cells] = (blanks[cells] as number) + 1;
        blankColumns[blank++] = cells;
      } else if ((known & scan.kind) === 0) {
        kinds[cells] = known | scan.kind;
        scan.listener.newKind(scan, cells, from, at);
      }
    }
    cells++;
    if (buffer[at] !== COMMA) break;
    at++;
  }
  const next = endRecord(scan, cells, start, at);
  // Counted behind the listener's call: a refusal names the line on which the record begins.
  scan.innerLineFeeds += lineFeeds;
  return next;
}

/** Ends a record that has text after the closing quote at a place, with the line of that. */
function endBroken(scan: CsvScan, start: number, quote: number): number {
  if (scan.width === 0) throw refuseCsv("text after quote", placeNext(scan));
  releaseBlankLines(scan);
  scan.lines++;
  scan.listener.brokenRecord(scan);
  const end = scan.buffer.indexOf(LF, quote);
  scan.innerLineFeeds += countLineFeeds(scan.buffer.subarray(start, end));
  return end + 1;
}

function releaseBlankLines(scan: CsvScan): void {
  if (scan.heldBlankLines === 0) return;
  scan.listener.blankLines(scan, scan.heldBlankLines);
  scan.heldBlankLines = 0;
}

/** Ends a record at its LF or CR; throws where that CR stands alone. */
function endRecord(scan: CsvScan, cells: number, start: number, end: number): number {
  const isCr = scan.buffer[end] === CR;
  if (isCr && scan.buffer[end + 1] !== LF) throw refuseCsv("bare CR", placeNext(scan));
  releaseBlankLines(scan);
  scan.lines++;
  scan.listener.record(scan, cells, start, end, cells === 1 && scan.kind === BLANK);
  return isCr ? end + 2 : end + 1;
}

/** Reads on after the opening quote; gives the place after the closing one. */
function readQuotedCell(scan: CsvScan, start: number, end: number): number {
  const { buffer } = scan;
  let at = start;
  let lineFeeds = 0;
  let isDoubled = false;
  for (; at < end; at++) {
    const byte = buffer[at];
    if (byte === LF) lineFeeds++;
    if (byte !== QUOTE) continue;
    if (buffer[at + 1] !== QUOTE) break;
    isDoubled = true;
    at++;
  }
  if (at >= end) return INCOMPLETE;
  if (!endsCell(buffer[at + 1] as number)) return BROKEN - at;
  scan.cellLineFeeds = lineFeeds;
  scan.kind = isDoubled ? KIND_BITS.text : classifyQuoted(buffer, start, at);
  return at + 1;
}
