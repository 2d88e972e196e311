/**
 * Which numbers of a text count: the one place of the rule, whose cases stand on the documentation's page of evidence. A
 * text here is what readers see, with a line feed where a line of Markdown ends.
 */

/** A number as a text writes it. */
export interface Numeral {
  /** Where it begins, with its sign. */
  start: number;
  end: number;
  /** Whether it counts by itself; years, days beside a month, ordinals and the like do not. */
  counts: boolean;
}

/** Digits with what may stand between the digits of one number, and an exponent. */
const CLUSTER = /\d+(?:[.,' \u00a0\u2009\u202f]\d+)*(?:[eE][+\-−]?\d+)?/g;
/** Of two different marks the last is the decimal. */
const NUMBER =
  /^(?:\d+(?:[.,]\d+)?|\d{1,3}([.,' \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d+)?)(?:[eE][+\-−]?\d+)?$/;
const LAST_GROUP = /^\d{3}(?:[.,]\d+)?$/;
const FIRST_GROUP = /^\d{1,3}$/;

/** As many characters around a number tell what it is. */
const LOOK = 24;

/** Every number of a text, in its order. */
export function findNumerals(shown: string): Numeral[] {
  const text = partWords(shown);
  const found: Numeral[] = [];
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    let start = index;
    const left = before(text, index);
    for (const piece of splitCluster(cluster, TOUCHED.test(left) || HYPHENED.test(left))) {
      const numeral = NUMBER.test(piece) ? readNumeral(text, start, piece) : null;
      if (numeral !== null) found.push(numeral);
      start += piece.length + 1;
    }
  }
  return found;
}

const UNPARTED =
  /[[\p{L}\p{M}]&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]/gv;

/** A text in which only letters of words that blanks part are letters: 12 stands by itself in 均12米. */
export function partWords(text: string): string {
  return text.replace(UNPARTED, (letter) => "·".repeat(letter.length));
}

const ISO_DATE =
  /(?<!\d)\d{4}-(?:W\d\d(?:-[1-7])?|Q[1-4]|(?:0[1-9]|1[0-2])(?:-[0-3]\d)?)(?:[T ][0-2]\d:[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?(?![a-zA-Z\d])/g;
const SHORT_YEAR = /(?<![\w\p{Sc}]|\d[.,])[12]\d{3}[-–/]\d\d(?![\w%°‰\p{Sc}]|[.,]\d)/gu;
const TIME = /(?<!\d[.,:]?)(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?!:?\d)/g;

/** A text of the same length in which the digits of ISO dates, times and pairs as 2020/21 are `_`: none is a number. */
export function hideDates(text: string): string {
  return [ISO_DATE, SHORT_YEAR, TIME].reduce(
    (rest, pattern) => rest.replace(pattern, (found) => found.replace(/\d/g, "_")),
    text,
  );
}

/** The pieces of a cluster, each one character apart: numbers, and versions as 1.2.3. */
function splitCluster(cluster: string, isHeadTouched: boolean): string[] {
  if (NUMBER.test(cluster) && !isHeadTouched) return [cluster];
  return joinGroups(cluster.split(" "), isHeadTouched ? 1 : 0)
    .flatMap((piece) => splitAt(piece, /[\u00a0\u2009\u202f]/))
    .flatMap((piece) => splitAt(piece, /[,']/));
}

/** Joins the last pieces where a blank parts thousands: each behind the first has three digits. */
function joinGroups(pieces: string[], least: number): string[] {
  let head = pieces.length - 1;
  while (head > least && LAST_GROUP.test(pieces[head] ?? "") && FIRST_GROUP.test(pieces[head - 1] ?? ""))
    head--;
  return [...pieces.slice(0, head), pieces.slice(head).join(" ")];
}

function splitAt(piece: string, mark: RegExp): string[] {
  return NUMBER.test(piece) ? [piece] : piece.split(mark);
}

function before(text: string, place: number): string {
  return text.slice(Math.max(0, place - LOOK), place);
}

const TOUCHED = /[\p{L}\p{M}\p{Nd}_#]$/u;

/** A hyphen behind a word, not behind the unit of a number as in 5km-7km. */
const HYPHENED = /(?<!\p{Nd}\p{L}{0,3})[\p{L}\p{M}_][-‐‑]$/u;
const SIGN = /(?:^|[\s\p{Ps}\p{Pi}\p{Pf}\p{Sc}"'])[+\-−]$/u;
/** A unit of up to four letters, and nothing of a word behind it. */
const UNIT = /^(?:\p{L}\p{M}*){0,4}(?![\p{L}\p{M}\p{Nd}_])/u;

function readNumeral(text: string, digitsAt: number, digits: string): Numeral | null {
  const end = digitsAt + digits.length;
  const left = before(text, digitsAt);
  const right = text.slice(end, end + LOOK);
  if (TOUCHED.test(left) || !UNIT.test(right)) return null;
  const isSigned = SIGN.test(left);
  const counts = !HYPHENED.test(left) && !isOther(digits, left, right, isSigned);
  return { start: isSigned ? digitsAt - 1 : digitsAt, end, counts };
}

const HALF_DAY = /^\s?[ap]\.?m(?![\p{L}\p{M}\p{Nd}_])/iu;
const HOUR = /^(?:0?\d|1[0-2])(?:\.[0-5]\d)?$/;
const ORDINAL = /^(?:st|nd|rd|th|[ºª])(?!\p{L})/iu;
const DECADE = /^(?:\d\d)?\d0$/;
const PLURAL = /^['’]?s(?!\p{L})/u;
const YEAR = /^[12]\d{3}$/;

/** Whether digits are a time, an ordinal, a decade, a year or a day. */
function isOther(digits: string, left: string, right: string, isSigned: boolean): boolean {
  if (HALF_DAY.test(right) && HOUR.test(digits)) return true;
  if (ORDINAL.test(right) || (DECADE.test(digits) && PLURAL.test(right))) return true;
  const isBare = !isSigned && !/\p{Sc}$/u.test(left) && !/^[\p{L}°%‰\p{Sc}]/u.test(right);
  return isBare && (YEAR.test(digits) || (DAY.test(digits) && isByMonth(left, right)));
}

const DAY = /^(?:0?[1-9]|[12]\d|3[01])$/;
const MONTHS = new Set(
  "January February March April May June July August September October November December"
    .split(" ")
    .flatMap((name) => [name, name.slice(0, 3)]),
);
const MONTH_BEFORE = /(?<![\p{L}\p{M}\p{Nd}_])([A-Z][a-z]{2,8})\.?\s(?:\d\d?\s?[-–]\s?)?$/u;
const MONTH_AFTER = /^(?:\s?[-–]\s?\d\d?)?\s([A-Z][a-z]{2,8})(?![\p{L}\p{M}\p{Nd}_])/u;

function isByMonth(left: string, right: string): boolean {
  return MONTHS.has(MONTH_BEFORE.exec(left)?.[1] ?? "") || MONTHS.has(MONTH_AFTER.exec(right)?.[1] ?? "");
}
