import { type ScaleLinear, scaleLinear } from "d3-scale";
import { type ChartScale, type FieldLook, PLAIN_LOOK } from "../markdown/charts/chart.ts";
import { areTrueLabels, formatTicks } from "./figures.ts";
import { createLogAxis } from "./log-axis.ts";

/** A quantitative axis: where values lie between its ends, and its round ticks. */
export interface ValueAxis {
  /** Where a value lies: 0 at the low end, 1 at the high end. */
  place(value: number): number;
  ticks: { at: number; label: string }[];
  /** Finer lines of the grid, which are not labelled. */
  minor: number[];
}

/** Values in a magnitude that is fit for arithmetic, and what an axis of them shows. */
export interface Measure {
  /** The scale and the format of the values. */
  look: Pick<FieldLook, "scale" | "format">;
  domain: [number, number];
  values: readonly number[];
  /** The exponent of ten that the magnitude took away. */
  shift: number;
}

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

/** The domain of a field's values by its scale: as given, with zero or without it, or as `nearZero` has it. */
export function findDomain(
  values: readonly number[],
  { log, zero, domain }: ChartScale,
  { factor, nearZero }: { factor: number; nearZero: number },
): [number, number] {
  if (domain !== null) return [domain[0] * factor, domain[1] * factor];
  const [low, high] = findExtent(values);
  if (log) return [low, high];
  if (zero !== false) return chooseDomain([low, high], zero === true ? Number.POSITIVE_INFINITY : nearZero);
  const alike = high - low < Math.max(Math.abs(low), Math.abs(high)) * 1e-9;
  const room = Math.abs(low) / 10 || 1;
  return alike || low === high ? [low - room, high + room] : [low, high];
}

/** The magnitude of a field's values; a log scale takes every double as it is. */
export function findMagnitudeOf(
  { scale: { log, domain } }: Pick<FieldLook, "scale">,
  values: readonly number[],
): Magnitude {
  return log ? { factor: 1, shift: 0 } : findMagnitude([...values, ...(domain ?? [])]);
}

/**
 * Builds an axis over a domain with about `count` ticks; both ends of the axis are round numbers, but for a domain that
 * the block gives.
 */
export function createValueAxis(
  domain: [number, number],
  count: number,
  shift: number,
  { scale: look, format }: Pick<FieldLook, "scale" | "format"> = PLAIN_LOOK,
): ValueAxis {
  if (look.log) return createLogAxis(domain, count, { isNice: look.domain === null, format });
  const scale: ScaleLinear<number, number> = scaleLinear().domain(domain);
  if (look.domain === null) scale.nice(count);
  const ticks = [...new Set(scale.ticks(count))];
  const labels = formatTicks(ticks, shift, format);
  // One tick tells no length: rather than that, figures have more digits than their format.
  const tells = areTrueLabels(ticks, labels) && (ticks.length > 1 || count === 1);
  if (format !== null && shift === 0 && !tells) {
    const [fewer, kept] = count > 2 ? [count - 1, format] : [count, null];
    return createValueAxis(domain, fewer, shift, { scale: look, format: kept });
  }
  return {
    place: (value) => scale(value),
    // Between neighbouring doubles several ticks are one, or have one label, which is true of the first.
    ticks: ticks.flatMap((tick, index) => {
      const label = labels[index] ?? "";
      return labels.indexOf(label) < index ? [] : [{ at: scale(tick), label }];
    }),
    minor: [],
  };
}

/** How many ticks values take: where all are whole, none lies between two whole numbers of a linear scale. */
export function countTicks({ look, domain, values }: Omit<Measure, "shift">, count: number): number {
  const span = domain[1] - domain[0];
  if (look.scale.log || span >= count) return count;
  for (const value of values) if (!Number.isInteger(value)) return count;
  return Math.max(1, Math.ceil(span));
}
