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

const NUMBER = /^(-?)(\d+)(\.\d+)?(?:[eE]([-+]?)(\d+))?$/;
const [LEAST_EXPONENT, MOST_EXPONENT] = [9, 20];
const MOST_EXACT = "9007199254740992";
const NINES = /^(?:-9{3,9}|9{4,9})(?:\.(?:0+|9+))?$/;
/** The bits of a number that is looked at: it begins with 99 or with 0 and a digit, is long, or has an exponent. */
export function markNumber(text: string): number {
  const [, sign, digits = "", fraction, powerSign, power] = NUMBER.exec(text) ?? [];
  if (digits.length > 1 && digits.startsWith("0")) return MARKS.zero;
  const isLarge = powerSign !== "-" && Number(power) >= LEAST_EXPONENT && Number(power) <= MOST_EXPONENT;
  if (power !== undefined)
    return (/^\d\d+E\d+$/.test(text) ? MARKS.code : 16) | (isLarge ? MARKS.exponent : 0);
  if (NINES.test(text)) return MARKS.nines;
  const isTen = fraction === undefined && digits.length > MOST_DIGITS;
  const isLong = isTen && BigInt(digits) > BigInt(MOST_EXACT);
  return markLength(digits.length, sign === "-") | (isTen ? MARKS.ten : 0) | (isLong ? MARKS.long : 0);
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
