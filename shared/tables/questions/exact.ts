/** Exact decimals: sums, bins and means without the rounding of doubles. */

/** The value units × 10^-scale; the scale is 0 or more. */
export interface Exact {
  units: bigint;
  scale: number;
}

/** A number of more digits before or behind its point is too large to compute with. */
const MOST_DIGITS = 10_000;
/** Of a cell that is added: the sum of two such cells may be short. */
const MOST_CELL_DIGITS = 2 * MOST_DIGITS;

const powers: bigint[] = [];

function tenTo(exponent: number): bigint {
  let power = powers[exponent];
  if (power === undefined) {
    power = 10n ** BigInt(exponent);
    if (exponent < 64) powers[exponent] = power;
  }
  return power;
}

/** Reads a number in the notation of `isNumberText`; null for one of too many digits. */
export function readExact(text: string): Exact | null {
  const lower = text.toLowerCase();
  const exponentAt = lower.indexOf("e");
  const mantissa = exponentAt === -1 ? lower : lower.slice(0, exponentAt);
  const exponent = exponentAt === -1 ? 0 : Number(lower.slice(exponentAt + 1));
  if (mantissa.length > MOST_CELL_DIGITS) return null;
  const dotAt = mantissa.indexOf(".");
  const units = BigInt(mantissa.replace(".", ""));
  if (units === 0n) return { units, scale: 0 };
  const scale = (dotAt === -1 ? 0 : mantissa.length - dotAt - 1) - exponent;
  if (Math.abs(scale) > MOST_CELL_DIGITS) return null;
  return scale >= 0 ? { units, scale } : { units: units * tenTo(-scale), scale: 0 };
}

/** Adds two decimals. */
export function addExact(one: Exact, other: Exact): Exact {
  const [left, right, scale] = align(one, other);
  return { units: left + right, scale };
}

function align(one: Exact, other: Exact): [bigint, bigint, number] {
  const scale = Math.max(one.scale, other.scale);
  return [one.units * tenTo(scale - one.scale), other.units * tenTo(scale - other.scale), scale];
}

/** The lower edge of the bin that holds a value: floor(value ÷ step) × step. */
export function floorToStep(value: Exact, step: Exact): Exact {
  const [units, width, scale] = align(value, step);
  const rest = units % width;
  return { units: units - (rest < 0n ? rest + width : rest), scale };
}

/** A decimal rounded half to even to so many digits behind its point. */
function roundExact({ units, scale }: Exact, decimals: number): Exact {
  if (scale <= decimals) return { units: units * tenTo(decimals - scale), scale: decimals };
  const one = tenTo(scale - decimals);
  const whole = units / one;
  const twice = 2n * (units < 0n ? -(units % one) : units % one);
  const isUp = twice > one || (twice === one && whole % 2n !== 0n);
  const away = units < 0n ? -1n : 1n;
  return { units: isUp ? whole + away : whole, scale: decimals };
}

/** A decimal with all the digits of its scale. */
function writeFixed({ units, scale }: Exact): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? "-" : ""}${whole}${scale === 0 ? "" : `.${digits.slice(whole.length)}`}`;
}

/** The shortest plain text of a decimal; null for one of more digits than `MOST_DIGITS`. */
export function writeExact({ units, scale }: Exact): string | null {
  const isNegative = units < 0n;
  const digits = (isNegative ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  let end = digits.length;
  while (end > whole.length && digits[end - 1] === "0") end--;
  if (end > MOST_DIGITS) return null;
  const fraction = end === whole.length ? "" : `.${digits.slice(whole.length, end)}`;
  return `${isNegative ? "-" : ""}${whole}${fraction}`;
}

/** The double nearest to a decimal divided by a whole number. */
export function divideToDouble({ units, scale }: Exact, divisor: number): number {
  const below = tenTo(scale) * BigInt(divisor);
  if (isSafe(units) && isSafe(below)) return Number(units) / Number(below);
  return nearestDouble(units, below);
}

function isSafe(units: bigint): boolean {
  return units <= Number.MAX_SAFE_INTEGER && units >= -Number.MAX_SAFE_INTEGER;
}

// A quotient of 66 bits or more holds the 53 of a double, and what decides how the last of them is rounded.
const QUOTIENT_BITS = 66;
/** The finest bit of a double is 2^-1074; two more decide how it is rounded. */
const MOST_SHIFT = 1_076;

function nearestDouble(units: bigint, below: bigint): number {
  const above = units < 0n ? -units : units;
  if (above === 0n) return 0;
  const shift = Math.min(QUOTIENT_BITS + countBits(below) - countBits(above), MOST_SHIFT);
  const top = shift > 0 ? above << BigInt(shift) : above;
  const bottom = shift < 0 ? below << BigInt(-shift) : below;
  const quotient = top / bottom;
  const isInexact = quotient * bottom !== top;
  const rounded = Number(isInexact ? quotient | 1n : quotient);
  // In two steps, as 2^-1076 alone is no double; the first is exact.
  const half = Math.trunc(shift / 2);
  const double = rounded * 2 ** -half * 2 ** (half - shift);
  return units < 0n ? -double : double;
}

function countBits(value: bigint): number {
  return value.toString(16).length * 4;
}

/** How a figure of a text writes the value of its question. */
interface FigureForm {
  decimals?: number | null | undefined;
  unit?: string | null | undefined;
}

/** The longest value that a figure may have, in characters. */
export const MOST_VALUE_CHARACTERS = 100;

/**
 * The value of a cell that is a number, with every digit: as it is written, or in its shortest form; null for one that is
 * too long.
 */
export function writeValue(cell: string, asWritten: boolean): string | null {
  const exact = readExact(cell);
  const value = asWritten || exact === null ? cell : writeExact(exact);
  return exact === null || value === null || value.length > MOST_VALUE_CHARACTERS ? null : value;
}

/** What a text must say of a value: rounded half to even to `decimals` if given, with the unit behind it. */
export function writeFigure(value: string, { decimals, unit }: FigureForm): string {
  const exact = decimals == null ? null : readExact(value);
  const number = exact === null || decimals == null ? value : writeFixed(roundExact(exact, decimals));
  return unit == null ? number : `${number} ${unit}`;
}

const THREE = 3;

/** A figure with the marks between its thousands that a text has between its own. */
export function markThousands(figure: string, text: string): string {
  const mark = /\d([,\u2009\u202f])\d{3}(?!\d)/.exec(text)?.[1];
  const [whole = ""] = /\d+/.exec(figure) ?? [];
  if (mark === undefined || whole.length <= THREE) return figure;
  const first = whole.length % THREE || THREE;
  const groups = [whole.slice(0, first)];
  for (let at = first; at < whole.length; at += THREE) groups.push(whole.slice(at, at + THREE));
  return figure.replace(whole, groups.join(mark));
}

const THIN_BLANKS = /[\u2009\u202f]/g;
/** A comma between thousands; one before other than three digits could be a decimal comma. */
const THOUSANDS_MARK = /(?<=\d),(?=\d{3}(?!\d))/g;

/** Whether a text says this figure; marks between thousands are left out of both. */
export function saysFigure(text: string, figure: string): boolean {
  return withoutMarks(text) === withoutMarks(figure);
}

function withoutMarks(text: string): string {
  return text.replace(THIN_BLANKS, "").replace(THOUSANDS_MARK, "");
}
