import { type ScaleLinear, scaleLinear } from "d3-scale";
import { formatTicks } from "./figures.ts";

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
