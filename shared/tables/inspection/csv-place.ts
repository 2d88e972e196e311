const LF = 0x0a;

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

/** The place before the first record. */
export function startPlace(): CsvPlace {
  return { lines: 0, innerLineFeeds: 0, rowsBefore: 0, feedsBefore: 0 };
}

/** Counts rows and lines from here on as those of a part that begins with the same header. */
export function countFromHere(place: CsvPlace, header: readonly string[]): void {
  const feedsOfHeader = header.join("").split("\n").length - 1;
  place.rowsBefore = place.lines - 1;
  place.feedsBefore = place.innerLineFeeds - feedsOfHeader;
}

/** Row and line of the record that is read next. */
export function placeNext(place: CsvPlace): [row: number, line: number] {
  return placeRow(place, place.lines + 1);
}

/** The row of a number among all records, and the line that it begins on. */
export function placeRow(place: CsvPlace, record: number): [row: number, line: number] {
  const row = record - place.rowsBefore;
  return [row, row + place.innerLineFeeds - place.feedsBefore];
}

/** The line, from 1, of the byte after the last one read, where `rest` has been kept and not read. */
export function countLines(place: CsvPlace, rest: Uint8Array): number {
  let inRest = 0;
  for (const byte of rest) if (byte === LF) inRest++;
  const [, line] = placeNext(place);
  return line + inRest;
}
