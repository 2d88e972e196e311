import { holdBytes } from "./byte-blocks.ts";
import { COUNTED, MARKS, markNumber, RARE } from "./cell-marks.ts";
import { KIND_BITS } from "./column-types.ts";
import { BLANK, classifyQuoted, endsCell, readPlainCell } from "./csv-cells.ts";
import { checkCutRecord, MOST_CELL_BYTES, MOST_ROW_BYTES, placeNext, refuseCsv } from "./csv-faults.ts";
import type { CsvScan } from "./csv-scan-state.ts";
import { type Block, countLineFeeds } from "./encoding.ts";
import { markText } from "./text-marks.ts";

/**
 * Goes through the records of a CSV file by their bytes, once, and makes no texts. It works on complete
 * lines: the bytes after the last line feed wait for the next block, so the scan reads a record from its
 * start to its end in one piece, and a line feed stops every inner loop.
 */

const [LF, CR, COMMA, QUOTE] = [0x0a, 0x0d, 0x2c, 0x22];
const [INCOMPLETE, BROKEN] = [-1, -2];
// Texts may be the name of their column.
const LOOKED_AT = RARE | KIND_BITS.text;

/** Reads the next bytes; throws `FileRefused` on the first record that breaks a rule. */
export function scanBlock(scan: CsvScan, block: Block): void {
  const nul = block.bytes.indexOf(0);
  if (scan.filled === 0) scan.offset = block.offset;
  holdBytes(scan, nul === -1 ? block.bytes : block.bytes.subarray(0, nul));
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
  holdBytes(scan, Buffer.of(LF));
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

/** Reads the records that are complete, also where they would wait for more bytes. */
export function readWholeLines(scan: CsvScan): void {
  const end = scan.buffer.subarray(0, scan.filled).lastIndexOf(LF) + 1;
  scan.listener.lines(scan, end);
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
  if (scan.filled > MOST_ROW_BYTES) throw refuseCsv("long row", placeNext(scan));
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
  const { buffer, width, kinds, blanks, blankColumns, nameLengths } = scan;
  let at = start;
  let cells = 0;
  let blank = 0;
  let lineFeeds = 0;
  scan.markedCount = 0;
  for (;;) {
    const from = at;
    if (buffer[at] === QUOTE) {
      at = readQuotedCell(scan, at + 1, end);
      if (at <= BROKEN) return endBroken(scan, start, BROKEN - at);
      if (at === INCOMPLETE) return forgetBlanks(scan, blank);
      lineFeeds += scan.cellLineFeeds;
    } else {
      at = readPlainCell(scan, buffer, at);
    }
    if (cells < width) {
      const { kind } = scan;
      if (kind === BLANK) {
        blanks[cells] = (blanks[cells] as number) + 1;
        blankColumns[blank++] = cells;
      } else if ((kind & (~(kinds[cells] as number) | LOOKED_AT)) !== 0) {
        const isNew = (kind & (~(kinds[cells] as number) | RARE)) !== 0;
        if (isNew || isAsLong(buffer, from, at, nameLengths[cells] as number))
          noteCell(scan, cells, from, at);
      }
    }
    cells++;
    if (buffer[at] !== COMMA) break;
    at++;
  }
  scan.blankCount = blank;
  const next = endRecord(scan, cells, start, at);
  // Counted behind the listener's call: a refusal names the line on which the record begins.
  scan.innerLineFeeds += lineFeeds;
  return next;
}

/** Whether a cell without its quotes has so many bytes. */
function isAsLong(bytes: Buffer, from: number, to: number, length: number): boolean {
  return to - from === (bytes[from] === QUOTE ? length + 2 : length);
}

/** A record is read again from its start: so many blank cells of it are not counted yet. */
function forgetBlanks({ blanks, blankColumns }: CsvScan, count: number): number {
  for (let index = 0; index < count; index++) (blanks[blankColumns[index] as number] as number)--;
  return INCOMPLETE;
}

/** Notes what a filled cell brings to its column, and the cell itself where its marks are counted. */
function noteCell(scan: CsvScan, column: number, from: number, to: number): void {
  const known = scan.kinds[column] as number;
  const kind = lookAtCell(scan, column, from, to);
  if ((known & kind) !== kind) {
    scan.kinds[column] = known | kind;
    scan.kind = kind;
    scan.listener.newKind(scan, column, from, to);
  }
  if ((kind & COUNTED) === 0) return;
  const { marked } = scan;
  marked[scan.markedCount++] = column;
  marked[scan.markedCount++] = from;
  marked[scan.markedCount++] = to;
  marked[scan.markedCount++] = kind;
}

/** The kind of a cell with all its marks. */
function lookAtCell(scan: CsvScan, column: number, start: number, end: number): number {
  const { buffer } = scan;
  const isQuoted = buffer[start] === QUOTE;
  const from = isQuoted ? start + 1 : start;
  const to = isQuoted ? end - 1 : end;
  if ((scan.kind & KIND_BITS.text) !== 0) return lookAtText(scan, column, from, to);
  const isNumber = (scan.kind & MARKS.look) !== 0;
  return isNumber ? KIND_BITS.number | markNumber(buffer, from, to) : scan.kind;
}

/** Where its column has a plain text, only few texts can have a mark. */
function lookAtText(scan: CsvScan, column: number, from: number, to: number): number {
  const { buffer, kind, nameLengths, addressNames } = scan;
  const isAddressed = addressNames[column] !== 0;
  const hasPlain = ((scan.kinds[column] as number) & MARKS.plain) !== 0;
  const isPlain = hasPlain && (kind & MARKS.look) === 0 && !isAddressed;
  const marked = isPlain
    ? kind
    : (kind & ~(MARKS.look | MARKS.plain)) | markText(buffer, from, to - from, isAddressed);
  return to - from === nameLengths[column] ? marked | MARKS.name : marked;
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
  if (end - start > MOST_CELL_BYTES) checkLongRow(scan, start, end);
  releaseBlankLines(scan);
  scan.lines++;
  scan.listener.record(scan, cells, start, end, cells === 1 && scan.kind === BLANK);
  return isCr ? end + 2 : end + 1;
}

/** Throws where a sound record has a value, or is itself, longer than may be. */
function checkLongRow(scan: CsvScan, start: number, end: number): void {
  let [from, isQuoted] = [start, false];
  for (let at = start; at <= end; at++) {
    const byte = scan.buffer[at];
    if (byte === QUOTE) isQuoted = !isQuoted;
    if (at < end && (isQuoted || byte !== COMMA)) continue;
    const quotes = scan.buffer[from] === QUOTE ? 2 : 0;
    if (at - from - quotes > MOST_CELL_BYTES) throw refuseCsv("long value", placeNext(scan));
    from = at + 1;
  }
  if (end - start > MOST_ROW_BYTES) throw refuseCsv("long row", placeNext(scan));
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
  if (isDoubled) scan.kind = KIND_BITS.text | MARKS.look;
  else classifyQuoted(scan, buffer, start, at);
  if (lineFeeds > 0) scan.kind |= MARKS.lineEnd;
  return at + 1;
}
