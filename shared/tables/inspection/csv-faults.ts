import { countNoun, joinWords } from "../../ground/text.ts";
import { clip } from "./csv-header.ts";
import { findOtherSeparator } from "./csv-separators.ts";
import { FileRefused, refuseFault } from "./verdict.ts";

/** The most bytes of a value, and of a row, which has to be in memory whole. */
export const MOST_CELL_BYTES = 1_048_576;
export const MOST_ROW_BYTES = 16_777_216;

const FAULTS = {
  "bare CR": [
    "has a bare carriage return (CR)",
    'End rows with LF or CRLF, as Python does with newline="", and quote a value that holds a CR.',
  ],
  "text after quote": [
    "has text after a closing quote",
    "Put a comma or a line end there, or double a quote that belongs to the value.",
  ],
  "open quote": [
    "opens a quote that is never closed",
    "Close it, or double a quote that belongs to the value.",
  ],
  "long value": [
    `has a value over ${MOST_CELL_BYTES.toLocaleString("en")} bytes`,
    "Split it, or close its quote.",
  ],
  "long row": [
    `is over ${MOST_ROW_BYTES.toLocaleString("en")} bytes long`,
    "Split it, or close the quote in it that is open.",
  ],
  NUL: ["holds a NUL character", "Remove it."],
} as const;

/** The refusal of a record that is not RFC 4180, by its row, the header being row 1, and the line it begins on. */
export function refuseCsv(fault: keyof typeof FAULTS, place: RowPlace): FileRefused {
  const [what, mend] = FAULTS[fault];
  const said = `${sayRow(place)} ${what}. Row 1 is the header.`;
  const mayBeOfQuotes = fault !== "bare CR" && fault !== "NUL";
  return mayBeOfQuotes ? refuseFault(said, mend) : new FileRefused(`${said} ${mend}`);
}

function sayRow({ row, line }: RowPlace): string {
  return line === row ? `Row ${row}` : `Row ${row} (line ${line})`;
}

const LF = 0x0a;

// Classes of bytes: other 0, quote 1, comma 2, CR 3; a line feed outside of quotes ends the record before.
const CLASS_OF_BYTE = new Uint8Array(256);
for (const [index, character] of ['"', ",", "\r"].entries())
  CLASS_OF_BYTE[character.charCodeAt(0)] = index + 1;

const [FIELD_START, IN_PLAIN, IN_QUOTES, AFTER_QUOTE, AFTER_CR] = [0, 1, 2, 3, 4] as const;
const [BARE_CR, TEXT_AFTER_QUOTE] = [5, 6] as const;

// One row a state, one column a class: the next state, or the fault.
const NEXT = Uint8Array.from([
  ...[IN_PLAIN, IN_QUOTES, FIELD_START, AFTER_CR],
  ...[IN_PLAIN, IN_PLAIN, FIELD_START, AFTER_CR],
  ...[IN_QUOTES, AFTER_QUOTE, IN_QUOTES, IN_QUOTES],
  ...[TEXT_AFTER_QUOTE, IN_QUOTES, FIELD_START, AFTER_CR],
  ...[BARE_CR, BARE_CR, BARE_CR, BARE_CR],
]);

/**
 * Checks a record that is cut off before its end, and returns its state there: inside quotes, after a CR, with text after
 * a closing quote, or none of these. Throws `FileRefused` on a bare CR in it.
 */
export function checkCutRecord(
  bytes: Uint8Array,
  place: RowPlace,
): "in quotes" | "after CR" | "broken" | "between" {
  let state: number = FIELD_START;
  for (let at = 0; at < bytes.length; at++) {
    state = NEXT[state * 4 + (CLASS_OF_BYTE[bytes[at] ?? 0] ?? 0)] ?? 0;
    if (state === BARE_CR) throw refuseCsv("bare CR", place);
    if (state === TEXT_AFTER_QUOTE) return "broken";
  }
  if (state === IN_QUOTES) return "in quotes";
  return state === AFTER_CR ? "after CR" : "between";
}

const FIRST: RowPlace = { row: 1, line: 1 };

/** The end of a record that comes in pieces: one call a piece gives the place behind its line end, or -1. */
type RecordEnd = (piece: Uint8Array) => number;

/** Looks for the end of a file's first record. Throws `FileRefused` on a fault before it. */
export function watchFirstRecord(): RecordEnd {
  let state: number = FIELD_START;
  return (piece) => {
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] as number;
      if (byte === LF && state !== IN_QUOTES) return at + 1;
      if (byte === 0) throw refuseCsv("NUL", FIRST);
      state = NEXT[state * 4 + (CLASS_OF_BYTE[byte] ?? 0)] ?? 0;
      if (state === BARE_CR) throw refuseCsv("bare CR", FIRST);
      if (state === TEXT_AFTER_QUOTE) throw refuseCsv("text after quote", FIRST);
    }
    return -1;
  };
}

/** How far a scan has come, and what of it lies before the part that is told of. */
export interface CsvPlace {
  /** Records and blank lines that have ended. */
  lines: number;
  /** Line feeds inside their quotes. */
  innerLineFeeds: number;
  /** Rows before an appended part, and line feeds inside their quotes: refusals count from the part's own header. */
  rowsBefore: number;
  feedsBefore: number;
}

/** Counts rows and lines from here on as those of a part that begins with the same header. */
export function countFromHere(place: CsvPlace, header: readonly string[]): void {
  const feedsOfHeader = header.join("").split("\n").length - 1;
  place.rowsBefore = place.lines - 1;
  place.feedsBefore = place.innerLineFeeds - feedsOfHeader;
}

/** Row and line of the record that is read next. */
export function placeNext(place: CsvPlace): RowPlace {
  return placeRow(place, place.lines + 1);
}

/** The row of a number among all records, and the line that it begins on. */
export function placeRow(place: CsvPlace, record: number): RowPlace {
  const row = record - place.rowsBefore;
  return { row, line: row + place.innerLineFeeds - place.feedsBefore };
}

/** A row and the line that it begins on. The header is row 1, and on line 1; they differ where values hold line ends. */
interface RowPlace {
  row: number;
  line: number;
}

/** A record whose number of values is not the header's, or null where text after a quote leaves it open. */
export interface RaggedRecord extends RowPlace {
  cells: number | null;
  isBlank: boolean;
}

/** How many such records a refusal tells of. */
const MOST_TOLD = 20;

/**
 * Adds a record to those found before it. Throws their refusal where more of them would help nobody: behind the
 * twentieth, and at the first one under a header of one name, where what separates the values is most likely wrong.
 */
export function noteRagged(found: RaggedRecord[], names: readonly string[], record: RaggedRecord): void {
  found.push(record);
  if (names.length === 1 || found.length === MOST_TOLD) throw refuseRagged(names, found);
}

/** The refusal of a file with such records: how the first one differs, and where the others are. */
export function refuseRagged(names: readonly string[], found: readonly RaggedRecord[]): FileRefused {
  const [first, ...others] = found;
  if (first === undefined) throw new Error("a refusal of ragged rows needs one");
  const { cells, isBlank } = first;
  const [text, doubled] = FAULTS["text after quote"];
  const what = cells === null ? text : `has ${countNoun(cells, "value")}; the header has ${names.length}`;
  const mend = cells === null ? doubled : explain(names, isBlank);
  return refuseFault(`${sayRow(first)} ${what}. Row 1 is the header.`, `${mend}${describeOthers(others)}`);
}

function explain(names: readonly string[], isBlank: boolean): string {
  const [only = ""] = names;
  if (isBlank && names.length > 1) return "This row is a blank line: remove it.";
  if (names.length > 1) return "Give every row one value per column, and quote a value that holds a comma.";
  const separator = findOtherSeparator(names);
  if (separator !== null) {
    return `Only commas separate values, so it names one column, "${clip(only)}". Name what separates them as delimiter of dialect, or write commas in place of its ${separator}, and quote a value that holds a comma.`;
  }
  return `It names one column, "${clip(only)}". Begin the file with the names of all columns, and quote a value that holds a comma.`;
}

function describeOthers(others: readonly RaggedRecord[]): string {
  const told = others.map(({ row, line, cells, isBlank }) => {
    const values = cells === null ? "text after a quote" : isBlank ? "blank" : countNoun(cells, "value");
    return line === row ? `${row} (${values})` : `${row} (line ${line}, ${values})`;
  });
  const more = others.length + 1 === MOST_TOLD ? ` These are the first ${MOST_TOLD}.` : "";
  return `${sayOtherRows(told)}${more}`;
}

/** The end of a refusal of a row: that others are as wrong, where there are any. */
export function sayOtherRows(rows: readonly (string | number)[]): string {
  if (rows.length === 0) return "";
  return rows.length === 1 ? ` Row ${rows[0]} differs too.` : ` Rows ${joinWords(rows)} differ too.`;
}
