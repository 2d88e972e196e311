import { MOST_CELL_BYTES } from "../inspection/csv-faults.ts";
import { FileRefused, refuseFault } from "../inspection/verdict.ts";

/** What splits bytes of UTF-8 into records and values; -1 stands for none. */
export interface SplitRules {
  delimiter: number;
  quote: number;
  escaper: number;
  comment: number;
  isDoubled: boolean;
  endsByCr: boolean;
  skipsBlanks: boolean;
}

/** What a value shows beside its text, as bits. */
export const SHOWS = { quote: 1, lineEnd: 2 } as const;

/** Takes in records, each row of the file once and in order. */
export interface RecordSink {
  /** A record begins; whether it is left out, so that its text is wanted in place of its values. */
  begins(row: number): boolean;
  /** The next value of the record, from `start` to `end`, without quotes and escapes. */
  value(bytes: Buffer, start: number, end: number, shows: number): void;
  ends(row: number, cells: number): void;
  /** A record or a comment is left out; `text` has its first characters. */
  leftOut(row: number, text: string, isComment: boolean): void;
  /** Blank lines from a row on, behind which a record follows. */
  blankLines(row: number, count: number): void;
}

export const [NUL, LF, CR, BLANK] = [0x00, 0x0a, 0x0d, 0x20];
/** No bytes. */
export const NOTHING = Buffer.alloc(0);
const FIRST_BUFFER_BYTES = 196_608;
/** 200 characters of four bytes. */
const RAW_BYTES = 800;

/** Where a splitter stands: in a value, or behind a quote in a quoted one, an escape or a CR, which the next byte settles. */
export type SplitState =
  | "row"
  | "blank CR"
  | "comment"
  | "value"
  | "plain"
  | "quoted"
  | "quote"
  | "escape"
  | "CR";

/** A text that is being split: the bytes of a value wait in the buffer until the last of them has come. */
export type Splitter = ReturnType<typeof startSplitter>;

/** Starts to split a text. */
export function startSplitter(rules: SplitRules, sink: RecordSink) {
  const { delimiter, quote, escaper } = rules;
  return {
    ...{ rules, sink, buffer: Buffer.alloc(FIRST_BUFFER_BYTES), filled: 0 },
    state: "row" as SplitState,
    /** Records that have ended, blank lines and comments too. */
    row: 0,
    /** The last row that is no blank line. */
    lastFilledRow: 0,
    /** Values of the record at hand that have ended. */
    cells: 0,
    /** Blank lines that count only where a record follows: the row of the first of each run, and their number. */
    blankRuns: [] as [row: number, count: number][],
    /** Whether the record at hand is left out; then its first bytes, and where in the buffer the rest begins. */
    isLeftOut: false,
    ...{ raw: NOTHING, rawFrom: 0 },
    /** Of the value at hand: where it begins and ends, its opening quote included, and what it shows. */
    from: 0,
    ...{ end: 0, isQuoted: false, shows: 0, isEscaped: false },
    /** The quote that closed a value and did not end it, with the characters before and behind it. */
    strayQuote: null as string | null,
    scratch: Buffer.alloc(1_024),
    endsPlain: markBytes(NUL, LF, CR, delimiter, quote, escaper),
    stopsQuoted: markBytes(NUL, LF, CR, quote, escaper),
    isEscapable: markBytes(delimiter, quote, escaper),
  };
}

function markBytes(...bytes: number[]): Uint8Array {
  const marks = new Uint8Array(256);
  for (const byte of bytes) if (byte >= 0) marks[byte] = 1;
  return marks;
}

/** Lets go of the bytes before a place. */
export function dropBytes(splitter: Splitter, to: number): void {
  keepRaw(splitter, to);
  splitter.buffer.copyWithin(0, to, splitter.filled + 1);
  splitter.filled -= to;
  splitter.from -= to;
  splitter.end -= to;
  splitter.rawFrom = 0;
  // Each byte may be a quote that is doubled.
  if (splitter.filled > 2 * MOST_CELL_BYTES + 8) throw refuseLongValue(splitter);
}

/** Keeps the first bytes of a record that is left out, up to a place in the buffer. */
export function keepRaw(splitter: Splitter, to: number): void {
  const { raw, rawFrom, buffer } = splitter;
  const room = RAW_BYTES - raw.length;
  if (splitter.isLeftOut && room > 0)
    splitter.raw = Buffer.concat([raw, buffer.subarray(rawFrom, Math.min(to, rawFrom + room))]);
}

/** Gives the value at hand to the sink, which ends at `end`. */
export function giveValue(splitter: Splitter, end: number): void {
  const { sink, isLeftOut, isQuoted, isEscaped, shows } = splitter;
  const start = isQuoted ? splitter.from + 1 : splitter.from;
  const length = isEscaped ? unescapeValue(splitter, start, end) : end - start;
  if (length > MOST_CELL_BYTES) throw refuseLongValue(splitter);
  splitter.cells++;
  if (isLeftOut) return;
  if (isEscaped) sink.value(splitter.scratch, 0, length, shows);
  else sink.value(splitter.buffer, start, end, shows);
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

/** The refusal of the record at hand; with a mend, its cause is sought. */
export function refuseRecord(splitter: Splitter, what: string, mend?: string): FileRefused {
  const fault = `Row ${splitter.row + 1} ${what}`;
  return mend === undefined ? new FileRefused(fault) : refuseFault(fault, mend);
}

function refuseLongValue(splitter: Splitter): FileRefused {
  const most = MOST_CELL_BYTES.toLocaleString("en");
  return refuseRecord(splitter, `has a value over ${most} bytes. Split it, or close its quote.`);
}
