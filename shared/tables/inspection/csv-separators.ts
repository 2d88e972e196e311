/** A character that may separate the values of a table, other than the comma. */
export interface Separator {
  mark: string;
  /** Its name, in the plural. */
  name: string;
  /** How often it stands outside quotes in each record from this one on. */
  count: number;
  /** Row 1, but for a table of one column, whose first rows may be a title. */
  from: number;
  /** How many rows behind the header are such records. */
  rows: number;
}

/** The characters that stand equally often in every record so far. */
export interface Separators {
  alive: Separator[];
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

/** How many of its character each record holds, in words. */
export function countMarks({ count, name }: Separator): string {
  return `${count} ${count === 1 ? name.replace(/s(?= |$)/, "") : name}`;
}

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
  [" ", "runs of blanks"],
  [",", "commas"],
] as const;

const [BLANK, QUOTE, COMMA, ZERO, NINE] = [0x20, 0x22, 0x2c, 0x30, 0x39];

/** The characters that may separate the values of a file with this header. */
export function findSeparators(header: Buffer, width: number): Separators {
  const all = [...OTHER_SEPARATORS, ...(width === 1 ? RARE_SEPARATORS : [])];
  const alive = all.flatMap(([mark, name]) => {
    const count = countOutsideQuotes(header, 0, header.length, mark.charCodeAt(0));
    return count === 0 && !mayBeTitle(mark, width) ? [] : [{ mark, name, count, from: 1, rows: 0 }];
  });
  return { alive, width, areCommasText: true };
}

/** Tells nothing of a character from here on. */
export function leaveOutSeparator(separators: Separators, mark: string): void {
  separators.alive = separators.alive.filter((separator) => separator.mark !== mark);
}

/** Looks whether a record has the characters as often as those above it. */
export function watchSeparators(
  separators: Separators,
  row: number,
  bytes: Buffer,
  start: number,
  end: number,
): void {
  separators.alive = separators.alive.filter((separator) => {
    const count = countOutsideQuotes(bytes, start, end, separator.mark.charCodeAt(0));
    const isAlike = count === separator.count;
    Object.assign(separator, isAlike ? { rows: separator.rows + 1 } : { count, from: row, rows: 1 });
    return (isAlike && count > 0) || (row <= MOST_ABOVE && mayBeTitle(separator.mark, separators.width));
  });
  if (separators.areCommasText && separators.alive.length > 0)
    separators.areCommasText = areCommasText(bytes, start, end);
}

/** Rows that may stand above the names of a table. */
const MOST_ABOVE = 20;

const mayBeTitle = (mark: string, width: number) =>
  width === 1 && OTHER_SEPARATORS.some(([other]) => other === mark);

/** How often a character stands outside quotes; a run of blanks counts once. Commas of the only value stand within its quotes. */
function countOutsideQuotes(bytes: Buffer, start: number, end: number, mark: number): number {
  let count = 0;
  if (mark === COMMA) return countPlainCommas(bytes.toString("latin1", start + 1, end - 1));
  let isOpen = false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isOpen = !isOpen;
    else if (byte === mark && !isOpen && !(mark === BLANK && bytes[at - 1] === BLANK)) count++;
  }
  return count;
}

/** The commas of a row that stands in quotes whole, without those of values that stand in doubled quotes of their own. */
function countPlainCommas(row: string): number {
  return row.replace(/""(?:[^"]|"""")*""/g, "").split(/,(?! )/).length - 1;
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
export function findMeantSeparator({ alive, width, areCommasText }: Separators): Separator | null {
  const usual = OTHER_SEPARATORS.map(([mark]) => mark);
  const found = alive.find((one) => usual.includes(one.mark) && separatesAll(one));
  return found !== undefined && (width === 1 || areCommasText) ? found : null;
}

/** Whether a character stands in the header and in each row, of which there are any. */
export function separatesAll({ count, from, rows }: Separator): boolean {
  return count > 0 && from === 1 && rows > 0;
}
