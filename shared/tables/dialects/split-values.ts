import {
  BLANK,
  CR,
  INCOMPLETE,
  LF,
  MOST_CELL_BYTES,
  NUL,
  refuseLineFeed,
  refuseNul,
  refuseRecord,
  SHOWS,
  type Splitter,
  skipCr,
} from "./split-state.ts";

/** Reads the value that begins here; gives the place behind it, where a separator or the end of the record is. */
export function readValue(splitter: Splitter, at: number): number {
  const { buffer, filled, rules } = splitter;
  let from = at;
  if (rules.skipsBlanks && splitter.cells > 0) while (buffer[from] === BLANK) from++;
  if (from >= filled && !splitter.isLast) return INCOMPLETE;
  return buffer[from] === rules.quote ? readQuoted(splitter, from + 1) : readPlain(splitter, from);
}

function readPlain(splitter: Splitter, from: number): number {
  const { buffer, filled, endsPlain } = splitter;
  const { delimiter } = splitter.rules;
  splitter.shows = 0;
  splitter.isEscaped = false;
  let at = from;
  for (;;) {
    while (endsPlain[buffer[at] as number] === 0) at++;
    if (at >= filled) {
      if (!splitter.isLast) return INCOMPLETE;
      break;
    }
    const byte = buffer[at];
    if (byte === delimiter) break;
    const isEnd = byte === LF || byte === CR || byte === NUL;
    const next = isEnd ? endPlain(splitter, at) : passPlainMark(splitter, at);
    if (next === INCOMPLETE) return INCOMPLETE;
    if (isEnd) break;
    at = next;
  }
  giveValue(splitter, from, at);
  return at;
}

/** Passes a quote or an escape in a plain value. */
function passPlainMark(splitter: Splitter, at: number): number {
  const { buffer, filled, rules, isEscapable } = splitter;
  if (buffer[at] !== rules.escaper) {
    splitter.shows |= SHOWS.quote;
    return at + 1;
  }
  if (at + 1 >= filled && !splitter.isLast) return INCOMPLETE;
  if (isEscapable[buffer[at + 1] as number] !== 1) return at + 1;
  splitter.isEscaped = true;
  return at + 2;
}

/** Looks at the NUL, LF or CR behind a plain value. */
function endPlain(splitter: Splitter, at: number): number {
  const byte = splitter.buffer[at];
  if (byte === NUL) throw refuseNul(splitter);
  if (byte === CR) return skipCr(splitter, at);
  if (splitter.rules.endsByCr) throw refuseLineFeed(splitter);
  return at + 1;
}

function readQuoted(splitter: Splitter, from: number): number {
  const { buffer, filled, stopsQuoted } = splitter;
  splitter.shows = 0;
  splitter.isEscaped = false;
  let at = from;
  for (;;) {
    while (stopsQuoted[buffer[at] as number] === 0) at++;
    if (at >= filled && splitter.isLast)
      throw refuseRecord(
        splitter,
        "opens a quote that is never closed. Close it, or double a quote that belongs to the value.",
      );
    const next = at >= filled ? INCOMPLETE : passQuotedMark(splitter, at);
    if (next === INCOMPLETE) return INCOMPLETE;
    if (next === at) break;
    at = next;
  }
  if (endQuoted(splitter, at + 1) === INCOMPLETE) return INCOMPLETE;
  giveValue(splitter, from, at);
  return at + 1;
}

/** Passes a line end, a quote or an escape in a quoted value; gives the same place for the quote that closes it. */
function passQuotedMark(splitter: Splitter, at: number): number {
  const { buffer, filled, rules, isEscapable } = splitter;
  const byte = buffer[at];
  if (byte === NUL) throw refuseNul(splitter);
  if (byte === LF || byte === CR) {
    splitter.shows |= SHOWS.lineEnd;
    return at + 1;
  }
  if (at + 1 >= filled && !splitter.isLast) return INCOMPLETE;
  const next = buffer[at + 1] as number;
  const isQuote = byte === rules.quote;
  if (isQuote && !(rules.isDoubled && next === byte)) return at;
  if (!isQuote && isEscapable[next] !== 1) return at + 1;
  splitter.isEscaped = true;
  return at + 2;
}

/** Looks at what stands behind a closing quote. */
function endQuoted(splitter: Splitter, at: number): number {
  const byte = splitter.buffer[at];
  const { delimiter, endsByCr } = splitter.rules;
  if (at >= splitter.filled || byte === delimiter || (byte === LF && !endsByCr)) return at;
  if (byte === CR) return skipCr(splitter, at);
  splitter.strayQuote = splitter.buffer.toString("latin1", at - 2, at + 1);
  throw refuseRecord(
    splitter,
    "has text after a closing quote. Put a separator or a line end there, or double a quote that belongs to the value.",
  );
}

function giveValue(splitter: Splitter, start: number, end: number): void {
  const { sink, isLeftOut, isEscaped, shows } = splitter;
  const length = isEscaped ? unescapeValue(splitter, start, end) : end - start;
  if (length > MOST_CELL_BYTES) throw refuseLongValue(splitter);
  if (isLeftOut) return;
  if (isEscaped) sink.value(splitter.scratch, 0, length, shows);
  else sink.value(splitter.buffer, start, end, shows);
}

/** The refusal of a value that has more bytes than one may have. */
export function refuseLongValue(splitter: Splitter): Error {
  const most = MOST_CELL_BYTES.toLocaleString("en");
  return refuseRecord(splitter, `has a value over ${most} bytes. Split it, or close its quote.`);
}

/** Writes a value without its escapes to the scratch; gives the number of its bytes. */
function unescapeValue(splitter: Splitter, start: number, end: number): number {
  const { buffer, isEscapable } = splitter;
  const { quote, escaper } = splitter.rules;
  if (splitter.scratch.length < end - start) splitter.scratch = Buffer.alloc(2 * (end - start));
  const { scratch } = splitter;
  let to = 0;
  for (let at = start; at < end; at++) {
    const byte = buffer[at];
    // A quote in here is the first of two, or stands in a plain value and is followed by anything.
    const isFirst =
      byte === escaper ? isEscapable[buffer[at + 1] as number] === 1 : byte === quote && escaper < 0;
    if (isFirst && at + 1 < end) at++;
    scratch[to++] = buffer[at] as number;
  }
  return to;
}
