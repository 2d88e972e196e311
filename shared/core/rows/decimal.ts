/** Exact comparison of decimal numbers as they are written, also beyond double precision. */

interface Decimal {
  negative: boolean;
  /** Significant digits without zeros at either end; empty for zero. */
  digits: string;
  /** The value is 0.digits times ten to this power. */
  point: bigint;
}

// The doubles nearest to decimals of up to 15 significant digits differ, and have the same order.
const EXACT_IN_DOUBLE = 15;

/** Compares two numbers in JSON's or the rows reader's notation: negative, 0 or positive as a sort expects. */
export function compareDecimals(left: string, right: string): number {
  if (isShortDecimal(left) && isShortDecimal(right)) return Number(left) - Number(right);
  const a = readDecimal(left);
  const b = readDecimal(right);
  if (a.digits === "" || b.digits === "" || a.negative !== b.negative) return signOf(a) - signOf(b);
  const magnitude = compareMagnitudes(a, b);
  return a.negative ? 0 - magnitude : magnitude;
}

/** Whether doubles tell this number apart from every other such number, in the right order. */
export function isShortDecimal(text: string): boolean {
  return text.length <= EXACT_IN_DOUBLE && !/[eE]/.test(text);
}

function readDecimal(text: string): Decimal {
  const negative = text.startsWith("-");
  const [mantissa = "", exponent = "0"] = (negative ? text.slice(1) : text).split(/[eE]/);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  const leading = countLeadingZeros(all);
  const digits = all.slice(leading, countWithoutTrailingZeros(all));
  return { negative, digits, point: BigInt(exponent.replace("+", "")) + BigInt(whole.length - leading) };
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
  if (a.point !== b.point) return a.point < b.point ? -1 : 1;
  // Digits start at the same place and end without zeros, so they compare as texts do.
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -1 : 1;
}
