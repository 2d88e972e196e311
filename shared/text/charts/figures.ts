import { format as writeBy } from "d3-format";

/** Numbers as charts write them: round, grouped by thousands, with a true minus sign. */

const UNITS: readonly [size: number, name: string][] = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
];
const MOST_UNIT_DECIMALS = 2;
const SCIENTIFIC_FROM = 1e15;
const SCIENTIFIC_BELOW = 1e-6;
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * Labels of evenly spaced ticks, all in one form: "10,000", "2.5M" (M, B, T for 10⁶, 10⁹, 10¹²) or "1.5 × 10¹⁸".
 * The ticks stand for themselves times ten to the power of `shift`.
 */
export function formatTicks(ticks: readonly number[], shift: number, format: string | null = null): string[] {
  const written = shift === 0 && format !== null ? formatAlike(ticks, format) : null;
  if (written !== null) return written;
  if (ticks.length === 1) return ticks.map((tick) => formatFigure(tick, shift));
  const largest = Math.max(...ticks.map(Math.abs));
  const step = ticks.length > 1 ? Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0)) : largest;
  if (largest === 0 || step === 0) return ticks.map(() => "0");
  if (shift !== 0 || largest >= SCIENTIFIC_FROM || largest < SCIENTIFIC_BELOW) {
    return formatScientific(ticks, step, largest, shift);
  }
  const [size, name] = UNITS.find(([from]) => largest >= from) ?? [1, ""];
  const decimals = countDecimals(step / size);
  if (decimals > MOST_UNIT_DECIMALS) return ticks.map((tick) => formatFixed(tick, countDecimals(step)));
  return ticks.map((tick) => (tick === 0 ? "0" : `${formatFixed(tick / size, decimals)}${name}`));
}

function formatScientific(ticks: readonly number[], step: number, largest: number, shift: number): string[] {
  const exponent = Math.floor(Math.log10(largest) + 1e-9);
  const power = 10 ** exponent;
  const decimals = countDecimals(step / power);
  const raised = raise(exponent + shift);
  return ticks.map((tick) => (tick === 0 ? "0" : `${formatFixed(tick / power, decimals)} × 10${raised}`));
}

/** So many digits tell the values of one chart apart; the table has them all. */
const DIGITS = 4;

/**
 * One value by itself: by a d3 format, or in up to four digits or whole up to a million; it stands for itself times ten
 * to the power of `shift`.
 */
export function formatFigure(value: number, shift: number, format: string | null = null): string {
  const written = shift === 0 && format !== null ? formatAlike([value], format)?.[0] : undefined;
  if (written !== undefined) return written;
  if (value === 0) return "0";
  const rounded = Number(value.toPrecision(DIGITS));
  const size = Math.abs(rounded);
  if (shift !== 0 || size >= SCIENTIFIC_FROM || size < SCIENTIFIC_BELOW) {
    const [digits = "", exponent = "0"] = value.toExponential(DIGITS - 1).split("e");
    return `${formatPlain(Number(digits))} × 10${raise(Number(exponent) + shift)}`;
  }
  const [unit, name] = UNITS.find(([from]) => size >= from) ?? [1, ""];
  if (unit > 1) return `${formatPlain(Number((rounded / unit).toPrecision(DIGITS)))}${name}`;
  return size >= 10 ** (DIGITS - 1) ? formatFixed(value, 0) : formatPlain(rounded);
}

/** What stands behind a number of a d3 format, by its power of ten. */
const POWERS = new Map([
  ["%", -2],
  ...Array.from("yzafpnµm kMGTPEZY", (end, at) => [end, 3 * (at - 8)] as const),
]);

/** The number that a label says by a d3 format; NaN where it is written as charts write it. */
function readLabel(label: string): number {
  const [, digits, end = ""] = /^(.*?)([yzafpnµmkMGTPEZY%]?)$/.exec(label.replace("−", "-")) ?? [];
  return Number(digits?.replaceAll(",", "")) * 10 ** (POWERS.get(end) ?? 0);
}

/** Whether labels of evenly spaced ticks tell where each lies: a format with few digits rounds them elsewhere. */
export function areTrueLabels(ticks: readonly number[], labels: readonly string[]): boolean {
  if (new Set(labels).size < labels.length) return false;
  const step = Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0));
  return labels.every((label, index) => {
    const value = readLabel(label);
    return Number.isNaN(value) || step === 0 || Math.abs(value - (ticks[index] ?? 0)) <= step / 100;
  });
}

/** Whether a label tells where a tick of a log scale lies. */
export function isTrueLabel(tick: number, label: string): boolean {
  const value = readLabel(label);
  return Number.isNaN(value) || Math.abs(value - tick) <= tick / 100;
}

const SPECIFIER = /^(,?)(\.\d)?(~?)([fs%d]?)$/;
/** A longer figure, or one with an exponent such as 1e300 in the format "f", is written as charts write it. */
const MOST_CHARACTERS = 16;

/**
 * Numbers by a d3 format, all with as many decimals as their step needs where the format does not say it; null where a
 * figure gets too long.
 */
function formatAlike(values: readonly number[], specifier: string): string[] | null {
  const [, comma = "", precision = "", trim = "", type = ""] = SPECIFIER.exec(specifier) ?? [];
  const isOpen = precision === "" && type !== "" && type !== "d";
  const step = values.length > 1 ? Math.abs((values[1] ?? 0) - (values[0] ?? 0)) : 0;
  const decimals = step === 0 ? null : countDecimals(type === "%" ? step * 100 : step);
  const isEven = isOpen && type !== "s" && decimals !== null && decimals <= 9;
  const write = writeBy(
    `${comma}${isEven ? `.${decimals}` : precision}${isOpen && !isEven ? "~" : trim}${type}`,
  );
  const texts = values.map(write);
  return texts.some((text) => text.length > MOST_CHARACTERS || text.includes("e")) ? null : texts;
}

/** A number with the decimals that it has. */
function formatPlain(value: number): string {
  return formatFixed(value, String(value).split(".")[1]?.length ?? 0);
}

/** A digit times a power of ten, which may lie beyond the doubles. */
export function formatPower(digit: number, power: number, format: string | null): string {
  const value = Number(`${digit}e${power}`);
  const isDouble = value > 0 && Number.isFinite(value);
  const isPlain = value >= SCIENTIFIC_BELOW && value < SCIENTIFIC_FROM;
  if (isPlain || (isDouble && format !== null)) return formatFigure(value, 0, format);
  return digit === 1 ? `10${raise(power)}` : `${digit} × 10${raise(power)}`;
}

/** An exponent of ten as a superscript. */
function raise(exponent: number): string {
  return String(exponent).replace(/./g, (digit) => SUPERSCRIPTS[Number(digit)] ?? "⁻");
}

/** Decimals that a step of 1, 2 or 5 times a power of ten needs. */
function countDecimals(step: number): number {
  return Math.min(20, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
}

function formatFixed(value: number, decimals: number): string {
  const [whole = "", fraction] = Math.abs(value).toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  const text = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}
