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
export function formatTicks(ticks: readonly number[], shift: number): string[] {
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

/** One value by itself, in up to four digits or whole up to a million; it stands for itself times ten to the power of `shift`. */
export function formatFigure(value: number, shift: number): string {
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

/** A number with the decimals that it has. */
function formatPlain(value: number): string {
  return formatFixed(value, String(value).split(".")[1]?.length ?? 0);
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
