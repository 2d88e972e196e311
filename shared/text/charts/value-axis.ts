import { type ScaleLinear, scaleLinear } from "d3-scale";

/** A quantitative axis: where values lie between its ends, and its round ticks. */
export type ValueAxis = ReturnType<typeof createValueAxis>;

/** Makes all values fit for arithmetic: sums and differences of doubles near 1.8e308 or 5e-324 leave the range. */
export interface Magnitude {
  factor: number;
  /** The exponent of ten that the factor took away. */
  shift: number;
}

const HUGE = 1e290;
const TINY = 1e-290;

/** The factor by which values are multiplied before anything is computed of them; nearly always 1. */
export function findMagnitude(values: Iterable<number>): Magnitude {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  if (largest > HUGE) return { factor: 1e-200, shift: 200 };
  if (largest > 0 && largest < TINY) return { factor: 1e200, shift: -200 };
  return { factor: 1, shift: 0 };
}

/** Lowest and highest of some values; both 0 of none. */
export function findExtent(values: Iterable<number>): [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? [0, 0] : [low, high];
}

/**
 * The domain of an axis: with zero where all values are equal, and where zero lies no further from them than
 * `nearZero` times their span; Infinity always has it.
 */
export function chooseDomain([low, high]: [number, number], nearZero: number): [number, number] {
  const span = high - low;
  const largest = Math.max(Math.abs(low), Math.abs(high));
  if (largest === 0) return [0, 1];
  const alike = span < largest * 1e-9;
  const near = Math.min(Math.abs(low), Math.abs(high)) <= span * nearZero;
  return alike || near ? [Math.min(0, low), Math.max(0, high)] : [low, high];
}

/** Builds an axis over a domain with about `count` ticks; both ends of the axis are round numbers. */
export function createValueAxis(domain: [number, number], count: number, shift: number) {
  const scale: ScaleLinear<number, number> = scaleLinear().domain(domain).nice(count);
  const ticks = scale.ticks(count);
  const labels = formatTicks(ticks, shift);
  return {
    /** Where a value lies: 0 at the low end, 1 at the high end. */
    place: (value: number) => scale(value),
    ticks: ticks.map((tick, index) => ({ at: scale(tick), label: labels[index] ?? "" })),
  };
}

/** How many ticks a domain takes: where all values are whole, none lies between two whole numbers. */
export function countTicks([low, high]: [number, number], count: number, values: Iterable<number>): number {
  const span = high - low;
  if (span >= count) return count;
  for (const value of values) if (!Number.isInteger(value)) return count;
  return Math.max(1, Math.ceil(span));
}

/** Numbers as the axes of charts write them: round, grouped by thousands, with a true minus sign. */

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
function formatTicks(ticks: readonly number[], shift: number): string[] {
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
  const raised = String(exponent + shift).replace(/./g, (digit) => SUPERSCRIPTS[Number(digit)] ?? "⁻");
  return ticks.map((tick) => (tick === 0 ? "0" : `${formatFixed(tick / power, decimals)} × 10${raised}`));
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
