/** Exact comparison of decimal numbers as they are written, also beyond double precision. */

interface Decimal {
  negative: boolean;
  /** Significant digits without zeros at either end; empty for zero. */
  digits: string;
  /** The value is 0.digits times ten to this power: a number while it is safe, which costs a tenth. */
  point: number | bigint;
}

// The doubles nearest to decimals of up to 15 significant digits differ, and have the same order.
const EXACT_IN_DOUBLE = 15;

/** Compares two numbers in JSON's or the rows reader's notation: negative, 0 or positive as a sort expects. */
export function compareDecimals(left: string, right: string): number {
  if (isShortDecimal(left) && isShortDecimal(right)) return Number(left) - Number(right);
  return compareRead(readDecimal(left), readDecimal(right));
}

/** Whether the double of a number that is written as JSON writes it is that number, and not the nearest to it. */
export function isExactDouble(text: string): boolean {
  const value = Number(text);
  return Number.isFinite(value) && compareDecimals(text, String(value)) === 0;
}

/**
 * Compares any number of numbers with one, which is read once. Rounding to doubles keeps the order of decimals, so
 * only numbers of one double are read digit by digit.
 */
export function createDecimalComparison(wanted: string): (text: string) => number {
  const nearest = Number(wanted);
  const decimal = readDecimal(wanted);
  const mostExponentDigits = Math.max(LONG_EXPONENT, wanted.length);
  return (text) => {
    const value = Number(text);
    if (value !== nearest) return value < nearest ? -1 : 1;
    return compareRead(readDecimal(text, mostExponentDigits), decimal);
  };
}

/**
 * How short decimals of the double that is nearest to a wanted number compare with it; there is at most one such
 * value, as each short decimal has a double of its own.
 */
export function compareShortNeighbour(wanted: string): number {
  const nearest = Number(wanted);
  if (!Number.isFinite(nearest)) return 0;
  return createDecimalComparison(wanted)(nearest.toPrecision(EXACT_IN_DOUBLE));
}

function isShortDecimal(text: string): boolean {
  return text.length <= EXACT_IN_DOUBLE && !/[eE]/.test(text);
}

function compareRead(a: Decimal, b: Decimal): number {
  if (a.digits === "" || b.digits === "" || a.negative !== b.negative) return signOf(a) - signOf(b);
  const magnitude = compareMagnitudes(a, b);
  return a.negative ? 0 - magnitude : magnitude;
}

function readDecimal(text: string, mostExponentDigits = Number.POSITIVE_INFINITY): Decimal {
  const negative = text.startsWith("-");
  const start = negative ? 1 : 0;
  const exponentAt = text.search(/[eE]/);
  const end = exponentAt === -1 ? text.length : exponentAt;
  const dotAt = text.lastIndexOf(".", end);
  const all = dotAt === -1 ? text.slice(start, end) : text.slice(start, dotAt) + text.slice(dotAt + 1, end);
  const leading = countLeadingZeros(all);
  const digits = all.slice(leading, countWithoutTrailingZeros(all));
  const shift = (dotAt === -1 ? end : dotAt) - start - leading;
  if (exponentAt === -1) return { negative, digits, point: shift };
  return { negative, digits, point: readPoint(text.slice(exponentAt + 1), shift, mostExponentDigits) };
}

// Up to so many digits an exponent is a safe number, also with the length of a file's longest cell added.
const SAFE_EXPONENT_DIGITS = 15;
// A BigInt of a million digits takes 0.2 s to read. An exponent this long belongs to a number beyond every wanted one,
// however its digits stand.
const LONG_EXPONENT = 1_000;

function readPoint(exponent: string, shift: number, mostDigits: number): number | bigint {
  if (exponent.length <= SAFE_EXPONENT_DIGITS) return Number(exponent) + shift;
  const isNegative = exponent.startsWith("-");
  const unsigned = exponent.slice(/^[+-]/.test(exponent) ? 1 : 0);
  const digits = unsigned.slice(countLeadingZeros(unsigned));
  if (digits.length > mostDigits) return isNegative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const power = BigInt(`0${digits}`);
  return (isNegative ? -power : power) + BigInt(shift);
}

function countLeadingZeros(digits: string): number {
  let count = 0;
  while (digits[count] === "0") count++;
  return count;
}

function countWithoutTrailingZeros(digits: string): number {
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return end;
}

function signOf(decimal: Decimal): number {
  if (decimal.digits === "") return 0;
  return decimal.negative ? -1 : 1;
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
  if (a.point < b.point) return -1;
  if (a.point > b.point) return 1;
  // Digits start at the same place and end without zeros, so they compare as texts do.
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -1 : 1;
}

// 10 to these powers and whole numbers below 2 to the power of 53 are exact, so one division rounds once: the result
// is the double that is nearest to the decimal, as Number() gives it.
const POWERS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
const MOST_NUMBER_BYTES = 15;
const [ZERO, MINUS, DOT] = [0x30, 0x2d, 0x2e];

/** The value of a number of up to 15 characters without exponent between two places; NaN for anything else. */
export function readShortNumber(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > MOST_NUMBER_BYTES) return Number.NaN;
  const first = bytes[start] === MINUS ? start + 1 : start;
  let value = 0;
  let dotAt = -1;
  for (let at = first; at < end; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit >>> 0 <= 9) value = value * 10 + digit;
    else if (bytes[at] === DOT && dotAt === -1 && at > first && at < end - 1) dotAt = at;
    else return Number.NaN;
  }
  if (first === end) return Number.NaN;
  if (dotAt !== -1) value /= POWERS[end - 1 - dotAt] as number;
  return first > start ? -value : value;
}

/** How many digits stand behind the point of a number without exponent. */
export function countDecimals(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== DOT) at++;
  return at === end ? 0 : end - at - 1;
}
