import { FileRefused } from "../inspection/verdict.ts";

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
/** A cell of more bytes is no value of a table. */
export const MOST_CELL_BYTES = 1_048_576;
/** A value or a line end needs bytes that have not come yet. */
export const INCOMPLETE = -1;
/** No bytes. */
export const NOTHING = Buffer.alloc(0);
const FIRST_BUFFER_BYTES = 196_608;
/** 200 characters of four bytes. */
const RAW_BYTES = 800;

/** A text that is being split: values wait in the buffer until their last byte has come. */
export interface Splitter {
  rules: SplitRules;
  sink: RecordSink;
  buffer: Buffer;
  filled: number;
  /** A long value is read again only when its bytes have doubled. */
  retryAt: number;
  isLast: boolean;
  state: "between" | "record" | "comment";
  /** Records that have ended, blank lines and comments too. */
  row: number;
  /** The last row that is no blank line. */
  lastFilledRow: number;
  /** Values of the record at hand that have ended. */
  cells: number;
  /** Blank lines that count only where a record follows: the row of the first of each run, and their number. */
  blankRuns: [row: number, count: number][];
  /** Whether the record at hand is left out; then its first bytes, and where in the buffer the rest begins. */
  isLeftOut: boolean;
  raw: Buffer;
  rawFrom: number;
  scratch: Buffer;
  /** Of the value read last: what it shows, and whether it holds escapes. */
  shows: number;
  isEscaped: boolean;
  /** The quote that closed a value and did not end it, with the characters before and behind it. */
  strayQuote: string | null;
  endsPlain: Uint8Array;
  stopsQuoted: Uint8Array;
  isEscapable: Uint8Array;
}

/** Starts to split a text. */
export function startSplitter(rules: SplitRules, sink: RecordSink): Splitter {
  const { delimiter, quote, escaper } = rules;
  return {
    ...{ rules, sink, buffer: Buffer.alloc(FIRST_BUFFER_BYTES), filled: 0, retryAt: 0, isLast: false },
    ...{ state: "between", row: 0, lastFilledRow: 0, cells: 0, blankRuns: [] },
    ...{
      isLeftOut: false,
      raw: NOTHING,
      rawFrom: 0,
      scratch: Buffer.alloc(1_024),
      shows: 0,
      isEscaped: false,
      strayQuote: null,
    },
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

/** Puts bytes behind those that wait; a NUL behind them stops every loop. */
export function appendBytes(splitter: Splitter, bytes: Buffer): void {
  const needed = splitter.filled + bytes.length + 1;
  if (needed > splitter.buffer.length) {
    const larger = Buffer.alloc(Math.max(needed, 2 * splitter.buffer.length));
    splitter.buffer.copy(larger, 0, 0, splitter.filled);
    splitter.buffer = larger;
  }
  bytes.copy(splitter.buffer, splitter.filled);
  splitter.filled += bytes.length;
  splitter.buffer[splitter.filled] = NUL;
}

/** Keeps the first bytes of a record that is left out, up to a place in the buffer. */
export function keepRaw(splitter: Splitter, to: number): void {
  const { raw, rawFrom, buffer } = splitter;
  const room = RAW_BYTES - raw.length;
  if (splitter.isLeftOut && room > 0)
    splitter.raw = Buffer.concat([raw, buffer.subarray(rawFrom, Math.min(to, rawFrom + room))]);
}

/** The refusal of the record at hand. */
export function refuseRecord(splitter: Splitter, what: string): FileRefused {
  return new FileRefused(`Row ${splitter.row + 1} ${what}`);
}

/** The place behind a CR that ends a row; `INCOMPLETE` where the next byte decides. */
export function skipCr(splitter: Splitter, at: number): number {
  if (splitter.rules.endsByCr) return at + 1;
  if (at + 1 >= splitter.filled && !splitter.isLast) return INCOMPLETE;
  if (at + 1 < splitter.filled && splitter.buffer[at + 1] === LF) return at + 2;
  throw refuseRecord(
    splitter,
    'has a bare carriage return (CR). Quote a value that holds one; where all rows end so, set lineTerminator to "\\r".',
  );
}

/** The refusal of a line feed outside of quotes where rows end with a CR. */
export function refuseLineFeed(splitter: Splitter): FileRefused {
  return refuseRecord(splitter, "holds a line feed, and rows end with a carriage return. Quote the value.");
}

/** The refusal of a NUL. */
export function refuseNul(splitter: Splitter): FileRefused {
  return refuseRecord(splitter, "holds a NUL character. Remove it.");
}
