import { refuseCsv } from "../../../../../shared/tables/inspection/csv-faults.ts";
import type { FileRefused } from "../../../../../shared/tables/inspection/verdict.ts";

/**
 * Reads CSV text ahead of the parser and hands it on as whole records that end in one LF each.
 *
 * papaparse alone merges rows where line ends are mixed, takes a bare CR for a line end or for text by the look of
 * the first megabyte, mends text after a closing quote, and cannot tell a blank line from a quoted empty value.
 * So record ends are found here, and what is not RFC 4180 is refused here with its row.
 */
export interface CsvGuard {
  /** Takes the next text and gives pieces of whole records, each ended by LF; throws `FileRefused` after them. */
  take(text: string): Iterable<string>;
  /** Gives the last record, when no line end closed it; throws `FileRefused` where the file ends too early. */
  finish(): Iterable<string>;
}

// Classes of characters: other 0, quote 1, comma 2, LF 3, CR 4.
const CLASS_OF_CODE = new Uint8Array(45);
for (const [index, character] of ['"', ",", "\n", "\r"].entries()) {
  CLASS_OF_CODE[character.charCodeAt(0)] = index + 1;
}

const [FIELD_START, IN_PLAIN, IN_QUOTES, AFTER_QUOTE, AFTER_CR] = [0, 1, 2, 3, 4] as const;
const [RECORD_END, BARE_CR, TEXT_AFTER_QUOTE, UNCLOSED_QUOTE, NUL] = [5, 6, 7, 8, 9] as const;
const STILL_OPEN = -1;

// One row a state, one column a class: the next state, or why the scan stops.
const NEXT = Uint8Array.from([
  ...[IN_PLAIN, IN_QUOTES, FIELD_START, RECORD_END, AFTER_CR],
  ...[IN_PLAIN, IN_PLAIN, FIELD_START, RECORD_END, AFTER_CR],
  ...[IN_QUOTES, AFTER_QUOTE, IN_QUOTES, IN_QUOTES, IN_QUOTES],
  ...[TEXT_AFTER_QUOTE, IN_QUOTES, FIELD_START, RECORD_END, AFTER_CR],
  ...[BARE_CR, BARE_CR, BARE_CR, RECORD_END, BARE_CR],
]);

const BLANKS_A_PIECE = 16_384;

interface GuardState {
  state: number;
  /** Where the scan stands in the text at hand. */
  at: number;
  /** Number of the record being read; the header is 1. */
  row: number;
  /** Line feeds inside the records before. */
  innerLineFeeds: number;
  /** The start of a record whose end has not come yet. */
  held: string;
  /** Blank lines that count only if a record follows: at the end of the file they are ignored. */
  blanks: number;
  /** Whether the header was read: text after a quote in a later record ends the record at its line's end, and is told. */
  hasHeader: boolean;
  isBroken: boolean;
}

/** The only value of a record that has text after a closing quote, with its line ends before that. */
export const BROKEN = "\u0001broken\u0001";

/** Starts a guard for one file. */
export function createCsvGuard(): CsvGuard {
  const guard: GuardState = {
    state: FIELD_START,
    at: 0,
    row: 1,
    innerLineFeeds: 0,
    held: "",
    blanks: 0,
    hasHeader: false,
    isBroken: false,
  };
  return { take: (text) => takeText(guard, text), finish: () => finishText(guard) };
}

function* takeText(guard: GuardState, text: string): Generator<string> {
  const nul = text.indexOf("\0");
  const whole = nul === -1 ? text : text.slice(0, nul);
  const records: string[] = [];
  let start = 0;
  guard.at = 0;
  for (;;) {
    const stop = scanToStop(guard, whole);
    const record = guard.held + whole.slice(start, guard.at);
    guard.held = "";
    if (stop === TEXT_AFTER_QUOTE && guard.hasHeader) {
      yield* breakRecord(guard, records, record);
      start = guard.at;
      continue;
    }
    if (stop !== RECORD_END) {
      yield* joinRecords(records);
      if (stop !== STILL_OPEN) throw refuse(stop, guard);
      guard.held = record;
      break;
    }
    const ended = guard.isBroken ? "" : guard.state === AFTER_CR ? record.slice(0, -1) : record;
    yield* takeEnded(guard, records, ended);
    guard.row++;
    guard.innerLineFeeds += ended.split("\n").length - 1;
    guard.state = FIELD_START;
    start = ++guard.at;
  }
  if (nul !== -1) throw refuse(NUL, guard);
}

function* takeEnded(guard: GuardState, records: string[], ended: string): Generator<string> {
  if (ended === "" && !guard.isBroken) guard.blanks++;
  else if (!guard.isBroken) {
    guard.hasHeader = true;
    if (guard.blanks > 0) yield* releaseBlanks(guard, records);
    records.push(ended);
  }
  guard.isBroken = false;
}

function* breakRecord(guard: GuardState, records: string[], record: string): Generator<string> {
  if (guard.blanks > 0) yield* releaseBlanks(guard, records);
  const lineFeeds = record.split("\n").length - 1;
  records.push(`"${BROKEN}${"\n".repeat(lineFeeds)}"`);
  guard.innerLineFeeds += lineFeeds;
  guard.isBroken = true;
}

/** Moves to the next record end or fault and says which it is, or to the end of the text. */
function scanToStop(guard: GuardState, text: string): number {
  let { state, at } = guard;
  if (guard.isBroken) {
    const end = text.indexOf("\n", at);
    guard.at = end === -1 ? text.length : end;
    return end === -1 ? STILL_OPEN : RECORD_END;
  }
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const next = NEXT[state * 5 + (code < 45 ? (CLASS_OF_CODE[code] ?? 0) : 0)] ?? 0;
    if (next >= RECORD_END) {
      guard.state = state;
      guard.at = at;
      return next;
    }
    state = next;
  }
  guard.state = state;
  guard.at = at;
  return STILL_OPEN;
}

/** Blank lines turn out to be records: gives them, after those before them, in pieces of bounded size. */
function* releaseBlanks(guard: GuardState, records: string[]): Generator<string> {
  yield* joinRecords(records.splice(0));
  for (; guard.blanks > 0; guard.blanks -= Math.min(guard.blanks, BLANKS_A_PIECE)) {
    yield "\n".repeat(Math.min(guard.blanks, BLANKS_A_PIECE));
  }
}

function* joinRecords(records: string[]): Generator<string> {
  if (records.length > 0) yield `${records.join("\n")}\n`;
}

function* finishText(guard: GuardState): Generator<string> {
  if (guard.isBroken) return;
  if (guard.state === IN_QUOTES) throw refuse(UNCLOSED_QUOTE, guard);
  if (guard.state === AFTER_CR) throw refuse(BARE_CR, guard);
  if (guard.held === "") return;
  yield* releaseBlanks(guard, []);
  yield `${guard.held}\n`;
}

const FAULTS: Readonly<Record<number, Parameters<typeof refuseCsv>[0]>> = {
  [BARE_CR]: "bare CR",
  [TEXT_AFTER_QUOTE]: "text after quote",
  [UNCLOSED_QUOTE]: "open quote",
  [NUL]: "NUL",
};

function refuse(fault: number, { row, innerLineFeeds }: GuardState): FileRefused {
  return refuseCsv(FAULTS[fault] ?? "NUL", { row, line: row + innerLineFeeds });
}
