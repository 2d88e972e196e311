import type { FileRefused } from "../inspection/verdict.ts";
import {
  appendBytes,
  CR,
  INCOMPLETE,
  keepRaw,
  LF,
  MOST_CELL_BYTES,
  NOTHING,
  NUL,
  refuseLineFeed,
  refuseNul,
  refuseRecord,
  type Splitter,
  skipCr,
} from "./split-state.ts";
import { readValue, refuseLongValue } from "./split-values.ts";

/**
 * Splits the next bytes of a text: RFC 4180 with any separator, quote and escape. Throws `FileRefused` with the row of a
 * NUL, a quote that is not closed, text behind a closing one, a line end that no row has, and a value that is too long.
 */
export function splitBytes(splitter: Splitter, bytes: Buffer): void {
  appendBytes(splitter, bytes);
  if (splitter.filled >= splitter.retryAt) readRows(splitter);
}

/** Reads what is left, at the end of the file. */
export function endSplitter(splitter: Splitter): void {
  splitter.isLast = true;
  readRows(splitter);
}

/** The refusal of what follows the bytes that were taken, once they have shown no fault before it. */
export function refuseNext(splitter: Splitter, fault: string): FileRefused {
  readRows(splitter);
  return refuseRecord(splitter, `holds ${fault}.`);
}

function readRows(splitter: Splitter): void {
  const { buffer } = splitter;
  let at = 0;
  for (let next = 0; next !== INCOMPLETE; ) {
    at = next;
    if (splitter.state === "record") next = readRecord(splitter, at);
    else next = splitter.state === "between" ? beginRow(splitter, at) : readComment(splitter, at);
  }
  const left = splitter.filled - at;
  if (left > 2 * MOST_CELL_BYTES + 8) throw refuseLongValue(splitter);
  keepRaw(splitter, at);
  splitter.rawFrom = 0;
  buffer.copyWithin(0, at, splitter.filled + 1);
  splitter.filled = left;
  splitter.retryAt = 2 * left;
}

function beginRow(splitter: Splitter, at: number): number {
  const { sink } = splitter;
  if (at >= splitter.filled) return INCOMPLETE;
  const byte = splitter.buffer[at];
  if (byte === LF || byte === CR) return readBlankLine(splitter, at);
  splitter.rawFrom = at;
  splitter.raw = NOTHING;
  if (byte === splitter.rules.comment) {
    splitter.isLeftOut = true;
    splitter.state = "comment";
    return at;
  }
  if (splitter.blankRuns.length > 0) releaseBlankLines(splitter);
  splitter.isLeftOut = sink.begins(splitter.row + 1);
  splitter.state = "record";
  splitter.cells = 0;
  return at;
}

function releaseBlankLines(splitter: Splitter): void {
  for (const [row, count] of splitter.blankRuns) splitter.sink.blankLines(row, count);
  splitter.blankRuns = [];
}

function readBlankLine(splitter: Splitter, at: number): number {
  const isLineFeed = splitter.buffer[at] === LF;
  if (isLineFeed && splitter.rules.endsByCr) throw refuseLineFeed(splitter);
  const next = isLineFeed ? at + 1 : skipCr(splitter, at);
  if (next === INCOMPLETE) return INCOMPLETE;
  const run = splitter.blankRuns.at(-1);
  splitter.row++;
  if (run !== undefined && run[0] + run[1] === splitter.row) run[1]++;
  else splitter.blankRuns.push([splitter.row, 1]);
  return next;
}

function readComment(splitter: Splitter, at: number): number {
  const { buffer, filled, rules } = splitter;
  if (at >= filled && !splitter.isLast) return INCOMPLETE;
  const rest = buffer.subarray(at, filled);
  const end = rest.indexOf(rules.endsByCr ? CR : LF);
  const to = end === -1 ? filled : at + end;
  if (buffer.subarray(at, to).includes(NUL)) throw refuseNul(splitter);
  if (end === -1 && !splitter.isLast) return filled;
  endLeftOut(splitter, to, true);
  return Math.min(to + 1, filled);
}

/** Reads the values of a record as far as they have come. */
function readRecord(splitter: Splitter, start: number): number {
  const { filled, buffer, rules } = splitter;
  let at = start;
  for (;;) {
    at = passPlainValues(splitter, at);
    const end = readValue(splitter, at);
    // The values before it have been given.
    if (end === INCOMPLETE) return at === start ? INCOMPLETE : at;
    splitter.cells++;
    if (end >= filled || buffer[end] !== rules.delimiter) return endRecord(splitter, end);
    at = end + 1;
  }
}

/** Passes values without a quote, an escape or a blank to skip, which most are, up to the last of the record. */
function passPlainValues(splitter: Splitter, start: number): number {
  const { buffer, endsPlain, sink, isLeftOut } = splitter;
  const { delimiter, skipsBlanks } = splitter.rules;
  if (skipsBlanks) return start;
  let from = start;
  for (;;) {
    let at = from;
    while (endsPlain[buffer[at] as number] === 0) at++;
    if (buffer[at] !== delimiter || at - from > MOST_CELL_BYTES) return from;
    if (!isLeftOut) sink.value(buffer, from, at, 0);
    splitter.cells++;
    from = at + 1;
  }
}

function endRecord(splitter: Splitter, end: number): number {
  const { buffer, filled } = splitter;
  const next = end >= filled ? end : buffer[end] === CR ? skipCr(splitter, end) : end + 1;
  if (splitter.isLeftOut) {
    endLeftOut(splitter, end, false);
    return next;
  }
  endRow(splitter);
  splitter.sink.ends(splitter.row, splitter.cells);
  return next;
}

function endLeftOut(splitter: Splitter, end: number, isComment: boolean): void {
  keepRaw(splitter, end);
  splitter.isLeftOut = false;
  endRow(splitter);
  splitter.sink.leftOut(splitter.row, splitter.raw.toString("utf8").replace(/\r$/, ""), isComment);
}

function endRow(splitter: Splitter): void {
  splitter.row++;
  splitter.state = "between";
  splitter.lastFilledRow = splitter.row;
}
