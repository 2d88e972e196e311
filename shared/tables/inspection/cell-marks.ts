/**
 * What a CSV cell is besides its kind, as bits beside the four of `KIND_BITS` that such cells have: a column's bits are
 * their union. A number has `8 << digits` for up to nine digits before its point, and one behind a minus one of
 * `NEGATIVE`: so it is known whether anything is greater than a mark of nines.
 */
export const MARKS = {
  /** A whole number of ten digits and more. */
  ten: 8 << 10,
  /** Two or more digits, E and digits: `12E12`. */
  code: 1 << 18,
  /** A text that is no number however it is written, and no mark for nothing. */
  plain: 1 << 19,
  /** An address or an e-mail under a name that is one. */
  address: 1 << 20,
  /** A cell that may have one of the marks behind: it is looked at. */
  look: 1 << 21,
  zero: 1 << 22,
  exponent: 1 << 23,
  long: 1 << 24,
  nines: 1 << 25,
  /** A text that is a number, but for how it is written; one that says that nothing is known. */
  format: 1 << 26,
  nothing: 1 << 27,
  /** A quote in a plain value; single quotes around one; a line end in a quoted one. */
  quote: 1 << 28,
  single: 1 << 29,
  lineEnd: 1 << 30,
  /** The name of its column. */
  name: 1 << 31,
} as const;

/** Cells with one of these marks are counted. */
export const COUNTED = -1 << 22;
/** Cells with one of these are looked at. */
export const RARE = COUNTED | MARKS.look;

const NEGATIVE = [1 << 14, 1 << 15, 1 << 16, 1 << 17];
const MOST_DIGITS = 9;

/** A column whose numbers are all such codes, or of which one has a leading zero, holds texts. */
export function holdsCodes(bits: number): boolean {
  const isCode = (bits & MARKS.code) !== 0 && (bits & ~(1 | MARKS.code | MARKS.exponent)) === 0;
  return isCode || (bits & MARKS.zero) !== 0;
}

/** The bits of a number by its digits before the point. */
function markLength(digits: number, isNegative: boolean): number {
  if (isNegative) return digits < 4 ? 8 << digits : (NEGATIVE[Math.min(digits, 7) - 4] ?? 0);
  return 8 << Math.min(digits, MOST_DIGITS);
}

const [LEAST_EXPONENT, MOST_EXPONENT] = [9, 20];
const MOST_EXACT = "9007199254740992";
const [MINUS, DOT, ZERO, NINE] = [0x2d, 0x2e, 0x30, 0x39];

/** The bits of a number that is looked at: it begins with 999 or with 0 and a digit, is long, or has an exponent. */
export function markNumber(bytes: Buffer, from: number, to: number): number {
  const isNegative = bytes[from] === MINUS;
  const first = isNegative ? from + 1 : from;
  let point = to;
  let areNines = true;
  for (let at = first; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte > NINE) return markPower(bytes.toString("latin1", from, to));
    if (byte === DOT) point = at;
    else if (byte !== NINE && !(byte === ZERO && at > point)) areNines = false;
  }
  const digits = point - first;
  if (bytes[first] === ZERO && digits > 1) return MARKS.zero;
  if (areNines && digits > (isNegative ? 2 : 3) && digits <= MOST_DIGITS) return MARKS.nines;
  const length = markLength(digits, isNegative);
  if (digits <= MOST_DIGITS || point < to) return length;
  return length | MARKS.ten | (isInexact(bytes, first, to) ? MARKS.long : 0);
}

function isInexact(bytes: Buffer, from: number, to: number): boolean {
  const digits = to - from;
  if (digits !== MOST_EXACT.length) return digits > MOST_EXACT.length;
  return bytes.toString("latin1", from, to) > MOST_EXACT;
}

/** The bits of a number with an exponent. */
function markPower(text: string): number {
  if (/^-?0\d/.test(text)) return MARKS.zero;
  const power = Number(/[eE]\+?(\d+)$/.exec(text)?.[1]);
  const isLarge = power >= LEAST_EXPONENT && power <= MOST_EXPONENT;
  return (/^\d\d+E\d+$/.test(text) ? MARKS.code : markLength(1, false)) | (isLarge ? MARKS.exponent : 0);
}

/**
 * Whether a mark of nines is the least or the greatest of a column with these bits. 9999 may end a row of numbers, so
 * nothing else may have as many digits.
 */
export function isOutermost(text: string, bits: number): boolean {
  const nines = (/^-?(9+)/.exec(text)?.[1] ?? "").length;
  if (text.startsWith("-")) return NEGATIVE.slice(nines - 3).every((bit) => (bits & bit) === 0);
  const least = nines < 6 ? nines : nines + 1;
  return (bits & ((16 << (MOST_DIGITS + 1)) - 1) & -(8 << least)) === 0;
}
