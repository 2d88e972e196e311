import { MARKS } from "./cell-marks.ts";
import { splitCsvRecord } from "./csv-header.ts";
import type { CsvScan } from "./csv-scan-state.ts";
import { findSeparators, type Separators, watchSeparators } from "./csv-separators.ts";
import { note, startTally, type Tally } from "./tally.ts";

/** Marks by which a cell is counted as it stands. */
const PLAINLY_COUNTED = ["zero", "exponent", "long", "format", "nothing", "single"] as const;
const FINDINGS = [...PLAINLY_COUNTED, "name", "quote", "blankBeforeQuote", "rowInValue"] as const;
type Finding = (typeof FINDINGS)[number];

/** What the rows of a CSV have that its sender should look at; `csv-hints.ts` makes hints of it. */
export interface CsvSurvey {
  header: Buffer;
  names: readonly string[];
  /** By what was found: for each column the cells that have it. */
  found: Record<Finding, Map<number, Tally>>;
  /** For each column its cells of nines, by their text. */
  nines: Map<number, Map<string, Tally>>;
  /** For each column the texts that say that nothing is known, by a hash: there are some hundred such texts at most. */
  unknowns: Map<number, Map<number, string>>;
  /** The first plain value in which a quote opens that closes a later one. */
  splitQuote: SplitQuote | null;
  headerAgain: Tally;
  /** The rows at the end that look like totals or notes. */
  last: Tally;
  separators: Separators;
}

export interface SplitQuote {
  row: number;
  column: number;
  text: string;
}

interface CellPlace {
  column: number;
  from: number;
  to: number;
  kind: number;
}

const [BLANK, QUOTE, COMMA] = [0x20, 0x22, 0x2c];
const MOST = { bytes: 400, nines: 10 };

/** Starts the survey of a file at its header. */
export function startSurvey(record: Buffer, names: readonly string[]): CsvSurvey {
  const header = Buffer.from(record);
  const found = Object.fromEntries(FINDINGS.map((finding) => [finding, new Map()]));
  const survey: CsvSurvey = {
    header,
    names,
    found: found as CsvSurvey["found"],
    nines: new Map(),
    unknowns: new Map(),
    splitQuote: null,
    headerAgain: startTally(),
    last: startTally(),
    separators: findSeparators(header, names.length),
  };
  let column = 0;
  let open: SplitQuote | null = null;
  for (const [from, to] of splitCsvRecord(header, 0, header.length)) {
    const cell = { column: column++, from, to, kind: MARKS.quote };
    if (header[from] !== QUOTE && header.subarray(from, to).includes(QUOTE))
      open = noteQuote(survey, header, cell, 1, open);
  }
  return survey;
}

/** All that is counted by its rows. */
export function listTallies({ found, nines, headerAgain, last }: CsvSurvey): Tally[] {
  const byColumn = [...Object.values(found), ...nines.values()];
  return [headerAgain, last, ...byColumn.flatMap((tallies) => [...tallies.values()])];
}

/** Looks at a sound record. */
export function surveyRecord(survey: CsvSurvey, scan: CsvScan, start: number, end: number): void {
  const { buffer, lines: row } = scan;
  if (scan.markedCount > 0) surveyCells(survey, scan);
  if (survey.separators.alive.length > 0) watchSeparators(survey.separators, row, buffer, start, end);
  if (end - start === survey.header.length && survey.header.compare(buffer, start, end) === 0)
    note(survey.headerAgain, row);
  if (looksLast(scan, start)) note(survey.last, row);
  else if (survey.last.count > 0) survey.last = startTally();
}

function surveyCells(survey: CsvSurvey, { buffer, marked, markedCount, width, lines: row }: CsvScan): void {
  let open: SplitQuote | null = null;
  for (let at = 0; at < markedCount; at += 4) {
    const cell = {
      column: marked[at] as number,
      from: marked[at + 1] as number,
      to: marked[at + 2] as number,
    };
    const kind = marked[at + 3] as number;
    for (const finding of PLAINLY_COUNTED)
      if ((kind & MARKS[finding]) !== 0) noteCell(survey.found[finding], buffer, { ...cell, kind }, row);
    if ((kind & UNUSUAL) !== 0) open = noteUnusual(survey, buffer, { ...cell, kind }, { row, width, open });
  }
}

const UNUSUAL = MARKS.nothing | MARKS.nines | MARKS.name | MARKS.lineEnd | MARKS.quote;

function noteCell(
  tallies: Map<number, Tally>,
  buffer: Buffer,
  { column, from, to }: CellPlace,
  row: number,
): void {
  let tally = tallies.get(column);
  if (tally === undefined) {
    tally = startTally(bareText(buffer, from, Math.min(to, from + MOST.bytes)));
    tallies.set(column, tally);
  }
  note(tally, row);
}

function bareText(buffer: Buffer, from: number, to: number): string {
  const isQuoted = buffer[from] === QUOTE;
  const text = buffer.toString("utf8", isQuoted ? from + 1 : from, to);
  return isQuoted ? text.replace(/"$/, "").replaceAll('""', '"') : text;
}

function noteUnusual(
  survey: CsvSurvey,
  buffer: Buffer,
  cell: CellPlace,
  { row, width, open }: { row: number; width: number; open: SplitQuote | null },
): SplitQuote | null {
  const { found } = survey;
  const { column, from, to, kind } = cell;
  if ((kind & MARKS.nothing) !== 0) noteUnknown(survey, buffer, cell);
  if ((kind & MARKS.nines) !== 0) noteNines(survey, column, bareText(buffer, from, to), row);
  if ((kind & MARKS.name) !== 0 && bareText(buffer, from, to) === survey.names[column])
    noteCell(found.name, buffer, cell, row);
  if ((kind & MARKS.lineEnd) !== 0 && width > 1 && countCommas(buffer, from, to) >= width - 1)
    noteCell(found.rowInValue, buffer, cell, row);
  return (kind & MARKS.quote) === 0 ? open : noteQuote(survey, buffer, cell, row, open);
}

function noteUnknown({ unknowns }: CsvSurvey, buffer: Buffer, { column, from, to }: CellPlace): void {
  const known = unknowns.get(column) ?? new Map<number, string>();
  unknowns.set(column, known);
  let hash = 0;
  for (let at = from; at < to; at++) hash = (hash * 257 + (buffer[at] as number)) | 0;
  if (!known.has(hash)) known.set(hash, bareText(buffer, from, to));
}

function noteNines(survey: CsvSurvey, column: number, text: string, row: number): void {
  const tallies = survey.nines.get(column) ?? new Map<string, Tally>();
  survey.nines.set(column, tallies);
  const tally = tallies.get(text) ?? startTally(text);
  if (tallies.size < MOST.nines) tallies.set(text, tally);
  note(tally, row);
}

function countCommas(buffer: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (buffer[at] === COMMA) count++;
  return count;
}

/** Notes a plain value with a quote. Gives the value of its record in which a quote is open. */
function noteQuote(
  survey: CsvSurvey,
  buffer: Buffer,
  cell: CellPlace,
  row: number,
  open: SplitQuote | null,
): SplitQuote | null {
  const { column, from, to } = cell;
  const text = buffer.toString("utf8", from, to);
  const isBehindBlanks = /^[ \t]+"/.test(text);
  const isClosed = text.trimEnd().endsWith('"');
  if (isBehindBlanks) noteCell(survey.found.blankBeforeQuote, buffer, cell, row);
  if (!isBehindBlanks || !isClosed) noteCell(survey.found.quote, buffer, cell, row);
  if (open !== null && text.endsWith('"')) survey.splitQuote ??= open;
  const isOdd = text.split('"').length % 2 === 0;
  return open ?? (isOdd && !text.endsWith('"') ? { row, column, text } : null);
}

const LAST_WORDS =
  /^(?:(?:(?:grand |sub)?total(?:s|es?)?|sum(?:s|me|a)?|somme|(?:ins)?gesamt|sources?|notes?)(?![\w\x80-\xff])|(?:quellen?|fuente|fonte|nota)\s*:)/i;
const LAST_BYTES = 20;
// The first three letters of these words.
const [FIRSTS, SECONDS, THIRDS] = [markLetters("fginqst"), markLetters("enoru"), markLetters("abemnstu")];

function markLetters(letters: string): Uint8Array {
  const marked = new Uint8Array(256);
  for (const byte of Buffer.from(letters + letters.toUpperCase())) marked[byte] = 1;
  return marked;
}

/** Whether a record is blank, holds one value of three columns and more, or begins as a total or a note does. */
function looksLast({ buffer, width, blankCount }: CsvScan, start: number): boolean {
  const filled = width - blankCount;
  if (filled < 2 && (filled === 0 || width > 2)) return true;
  let at = start;
  while (buffer[at] === QUOTE || buffer[at] === BLANK) at++;
  return (
    FIRSTS[buffer[at] as number] === 1 &&
    SECONDS[buffer[at + 1] as number] === 1 &&
    THIRDS[buffer[at + 2] as number] === 1 &&
    LAST_WORDS.test(buffer.toString("latin1", at, at + LAST_BYTES))
  );
}
