import { holdBytes } from "../inspection/byte-blocks.ts";
import { MOST_CELL_BYTES } from "../inspection/csv-faults.ts";
import type { FileRefused } from "../inspection/verdict.ts";
import {
  BLANK,
  CR,
  dropBytes,
  giveValue,
  keepRaw,
  LF,
  NOTHING,
  NUL,
  refuseRecord,
  SHOWS,
  type SplitState,
  type Splitter,
} from "./split-state.ts";

const FAULTS = {
  cr: 'has a bare carriage return (CR). Quote a value that holds one; where all rows end so, set lineTerminator to "\\r".',
  lineFeed: "holds a line feed, and rows end with a carriage return. Quote the value.",
  nul: "holds a NUL character. Remove it.",
  openQuote: "opens a quote that is never closed.",
  behindQuote: "has text after a closing quote.",
};
const CLOSE = "Close it, or double a quote that belongs to the value.";
const PUT_SEPARATOR = "Put a separator or a line end there, or double a quote that belongs to the value.";

/**
 * Splits the next bytes of a text: RFC 4180 with any separator, quote and escape. Throws `FileRefused` with the row of a
 * NUL, a quote that is not closed, text behind a closing one, a line end that no row has, and a value that is too long.
 */
export function splitBytes(splitter: Splitter, bytes: Buffer): void {
  let at = splitter.filled;
  holdBytes(splitter, bytes);
  while (at < splitter.filled) at = STEPS[splitter.state](splitter, at);
  const { state, filled } = splitter;
  const isInValue = state !== "row" && state !== "blank CR" && state !== "comment" && state !== "value";
  dropBytes(splitter, isInValue ? splitter.from : filled);
}

/** Reads what is left, at the end of the file. */
export function endSplitter(splitter: Splitter): void {
  const { state, filled } = splitter;
  if (state === "comment") endLeftOut(splitter, filled, true);
  if (state === "row" || state === "comment") return;
  if (state === "CR" || state === "blank CR") throw refuseRecord(splitter, FAULTS.cr);
  if (state === "value") beginValue(splitter, filled);
  if (splitter.isQuoted && state !== "quote") throw refuseRecord(splitter, FAULTS.openQuote, CLOSE);
  if (state !== "quote") splitter.end = filled;
  endRecord(splitter);
}

/** The refusal of what follows the bytes that were taken. */
export function refuseNext(splitter: Splitter, fault: string): FileRefused {
  return refuseRecord(splitter, `holds ${fault}.`);
}

/** By state: reads on from a byte, and gives the place of the next. */
const STEPS: Record<SplitState, (splitter: Splitter, at: number) => number> = {
  row: beginRow,
  "blank CR"(splitter, at) {
    if (splitter.buffer[at] !== LF) throw refuseRecord(splitter, FAULTS.cr);
    return endBlankLine(splitter, at);
  },
  comment: readComment,
  value: readValue,
  plain: readPlain,
  quoted: readQuoted,
  quote: passQuote,
  escape(splitter, at) {
    splitter.state = splitter.isQuoted ? "quoted" : "plain";
    if (splitter.isEscapable[splitter.buffer[at] as number] !== 1) return at;
    splitter.isEscaped = true;
    return at + 1;
  },
  CR(splitter, at) {
    if (splitter.buffer[at] !== LF) throw refuseRecord(splitter, FAULTS.cr);
    endRecord(splitter);
    return at + 1;
  },
};

function beginRow(splitter: Splitter, at: number): number {
  const { rules, sink } = splitter;
  const byte = splitter.buffer[at];
  if (byte === LF || byte === CR) return readBlankLine(splitter, at);
  splitter.rawFrom = at;
  splitter.raw = NOTHING;
  splitter.isLeftOut = byte === rules.comment;
  splitter.state = splitter.isLeftOut ? "comment" : "value";
  if (splitter.isLeftOut) return at;
  for (const [row, count] of splitter.blankRuns) sink.blankLines(row, count);
  splitter.blankRuns = [];
  splitter.isLeftOut = sink.begins(splitter.row + 1);
  splitter.cells = 0;
  return readValue(splitter, at);
}

function readBlankLine(splitter: Splitter, at: number): number {
  const { endsByCr } = splitter.rules;
  const isCr = splitter.buffer[at] === CR;
  if (endsByCr && !isCr) throw refuseRecord(splitter, FAULTS.lineFeed);
  if (endsByCr || !isCr) return endBlankLine(splitter, at);
  splitter.state = "blank CR";
  return at + 1;
}

function endBlankLine(splitter: Splitter, at: number): number {
  const run = splitter.blankRuns.at(-1);
  splitter.state = "row";
  splitter.row++;
  if (run !== undefined && run[0] + run[1] === splitter.row) run[1]++;
  else splitter.blankRuns.push([splitter.row, 1]);
  return at + 1;
}

function readComment(splitter: Splitter, at: number): number {
  const { filled, rules } = splitter;
  const rest = splitter.buffer.subarray(at, filled);
  const end = rest.indexOf(rules.endsByCr ? CR : LF);
  if (rest.subarray(0, end === -1 ? rest.length : end).includes(NUL))
    throw refuseRecord(splitter, FAULTS.nul);
  if (end === -1) return filled;
  endLeftOut(splitter, at + end, true);
  return at + end + 1;
}

function readValue(splitter: Splitter, start: number): number {
  const { buffer, rules } = splitter;
  let at = rules.skipsBlanks ? start : passPlainValues(splitter, start);
  if (rules.skipsBlanks && splitter.cells > 0) while (buffer[at] === BLANK) at++;
  if (at >= splitter.filled) return at;
  beginValue(splitter, at);
  splitter.isQuoted = buffer[at] === rules.quote;
  splitter.state = splitter.isQuoted ? "quoted" : "plain";
  return splitter.isQuoted ? readQuoted(splitter, at + 1) : readPlain(splitter, at);
}

/** Passes values without a quote and an escape, which most are, up to the last of the record. */
function passPlainValues(splitter: Splitter, start: number): number {
  const { buffer, endsPlain, sink, isLeftOut } = splitter;
  const { delimiter } = splitter.rules;
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

function beginValue(splitter: Splitter, from: number): void {
  splitter.from = from;
  splitter.shows = 0;
  splitter.isQuoted = false;
  splitter.isEscaped = false;
}

function readPlain(splitter: Splitter, start: number): number {
  const { buffer, endsPlain } = splitter;
  const { delimiter, quote, escaper } = splitter.rules;
  let at = start;
  while (endsPlain[buffer[at] as number] === 0) at++;
  if (at >= splitter.filled) return at;
  const byte = buffer[at];
  if (byte === delimiter) {
    giveValue(splitter, at);
    splitter.state = "value";
  } else if (byte === escaper) splitter.state = "escape";
  else if (byte === quote) splitter.shows |= SHOWS.quote;
  else return endLine(splitter, at, at);
  return at + 1;
}

function readQuoted(splitter: Splitter, start: number): number {
  const { buffer, stopsQuoted } = splitter;
  let at = start;
  while (stopsQuoted[buffer[at] as number] === 0) at++;
  if (at >= splitter.filled) return at;
  const byte = buffer[at];
  if (byte === NUL) throw refuseRecord(splitter, FAULTS.nul);
  if (byte === LF || byte === CR) splitter.shows |= SHOWS.lineEnd;
  else splitter.state = byte === splitter.rules.escaper ? "escape" : "quote";
  splitter.end = at;
  return splitter.state === "quote" && at + 1 < splitter.filled ? passQuote(splitter, at + 1) : at + 1;
}

/** Reads the byte behind a quote in a quoted value, which closes it or is doubled. */
function passQuote(splitter: Splitter, at: number): number {
  const { delimiter, quote, isDoubled, endsByCr } = splitter.rules;
  const byte = splitter.buffer[at];
  if (byte === quote && isDoubled) {
    splitter.isEscaped = true;
    splitter.state = "quoted";
    return at + 1;
  }
  if (byte === delimiter) {
    giveValue(splitter, splitter.end);
    splitter.state = "value";
    return at + 1;
  }
  if (byte === CR || (byte === LF && !endsByCr)) return endLine(splitter, splitter.end, at);
  splitter.strayQuote = splitter.buffer.toString("latin1", at - 2, at + 1);
  throw refuseRecord(splitter, FAULTS.behindQuote, PUT_SEPARATOR);
}

/** Looks at the NUL, LF or CR behind the last value of a record, which ends at `end`. */
function endLine(splitter: Splitter, end: number, at: number): number {
  const byte = splitter.buffer[at];
  const { endsByCr } = splitter.rules;
  if (byte === NUL) throw refuseRecord(splitter, FAULTS.nul);
  if (byte === LF && endsByCr) throw refuseRecord(splitter, FAULTS.lineFeed);
  splitter.end = end;
  if (byte === CR && !endsByCr) splitter.state = "CR";
  else endRecord(splitter);
  return at + 1;
}

function endRecord(splitter: Splitter): void {
  const { end, isQuoted, sink } = splitter;
  giveValue(splitter, end);
  if (splitter.isLeftOut) {
    endLeftOut(splitter, isQuoted ? end + 1 : end, false);
    return;
  }
  endRow(splitter);
  sink.ends(splitter.row, splitter.cells);
}

function endLeftOut(splitter: Splitter, end: number, isComment: boolean): void {
  keepRaw(splitter, end);
  splitter.isLeftOut = false;
  endRow(splitter);
  splitter.sink.leftOut(splitter.row, splitter.raw.toString("utf8").replace(/\r$/, ""), isComment);
}

function endRow(splitter: Splitter): void {
  splitter.row++;
  splitter.state = "row";
  splitter.lastFilledRow = splitter.row;
}
