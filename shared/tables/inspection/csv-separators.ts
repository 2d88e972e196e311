/** A character that may separate the values of a table, other than the comma. */
export interface Separator {
  mark: string;
  /** Its name, in the plural. */
  name: string;
  /** How often it stands outside quotes in the header, and in every row so far. */
  count: number;
}

/** The characters that stand equally often in every record so far. */
export interface Separators {
  alive: Separator[];
  rows: number;
  width: number;
  /** Whether each comma of the rows stands between digits or before a blank, as where it separates nothing. */
  areCommasText: boolean;
}

/** The separators that many files have in place of the comma, with their names. */
export const OTHER_SEPARATORS: readonly (readonly [mark: string, name: string])[] = [
  [";", "semicolons"],
  ["\t", "tabs"],
  ["|", "vertical bars"],
];

/** What separates the names of a header without a comma; null where nothing does. */
export function findOtherSeparator(names: readonly string[]): string | null {
  const [only = ""] = names;
  if (names.length !== 1) return null;
  return OTHER_SEPARATORS.find(([mark]) => only.includes(mark))?.[1] ?? null;
}
const RARE_SEPARATORS = [
  ["^", "carets"],
  ["~", "tildes"],
  [":", "colons"],
  ["\u0001", "characters U+0001"],
  [" ", "blanks"],
] as const;

const [BLANK, QUOTE, COMMA, ZERO, NINE] = [0x20, 0x22, 0x2c, 0x30, 0x39];

/** The characters that may separate the values of a file with this header. */
export function findSeparators(header: Buffer, width: number): Separators {
  const all = [...OTHER_SEPARATORS, ...(width === 1 ? RARE_SEPARATORS : [])];
  const alive = all.flatMap(([mark, name]) => {
    const count = countOutsideQuotes(header, 0, header.length, mark.charCodeAt(0));
    return count === 0 ? [] : [{ mark, name, count }];
  });
  return { alive, rows: 0, width, areCommasText: true };
}

/** Looks whether a record has the characters as often as the header has. */
export function watchSeparators(separators: Separators, bytes: Buffer, start: number, end: number): void {
  separators.rows++;
  separators.alive = separators.alive.filter(
    ({ mark, count }) => countOutsideQuotes(bytes, start, end, mark.charCodeAt(0)) === count,
  );
  if (separators.areCommasText && separators.alive.length > 0)
    separators.areCommasText = areCommasText(bytes, start, end);
}

/** How often a character stands outside quotes; a run of blanks counts once. */
function countOutsideQuotes(bytes: Buffer, start: number, end: number, mark: number): number {
  let count = 0;
  let isOpen = false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isOpen = !isOpen;
    else if (byte === mark && !isOpen && !(mark === BLANK && bytes[at - 1] === BLANK)) count++;
  }
  return count;
}

const isDigit = (byte = 0) => byte >= ZERO && byte <= NINE;

function areCommasText(bytes: Buffer, start: number, end: number): boolean {
  let isOpen = false;
  for (let at = start; at < end; at++) {
    if (bytes[at] === QUOTE) isOpen = !isOpen;
    if (bytes[at] !== COMMA || isOpen || bytes[at + 1] === BLANK) continue;
    if (at === start || !isDigit(bytes[at - 1]) || !isDigit(bytes[at + 1])) return false;
  }
  return true;
}

/**
 * The separator that most likely was meant in place of the comma: it stands equally often in every record, where no comma
 * does but those of decimals and sentences.
 */
export function findMeantSeparator({ alive, rows, width, areCommasText }: Separators): Separator | null {
  const usual = OTHER_SEPARATORS.map(([mark]) => mark);
  const found = alive.find(({ mark }) => usual.includes(mark));
  return rows > 0 && found !== undefined && (width === 1 || areCommasText) ? found : null;
}
