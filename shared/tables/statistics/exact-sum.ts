import { addExact, divideToDouble, type Exact, readExact } from "../questions/exact.ts";
import { countDecimals, readShortNumber } from "../rows/decimal.ts";

const ZERO: Exact = { units: 0n, scale: 0 };

/**
 * Adds up the numbers of groups exactly: short ones in whole doubles as long as these are exact, all others, which
 * `readLong` reads, in BigInts.
 */
export function sumExactly(groups: number, readLong: (text: string) => Exact) {
  const counts = new Float64Array(groups);
  /** By their digits behind the point: of each group the sum of such numbers. */
  const units: Float64Array[] = [];
  const spilled = new Map<number, Exact>();
  const spill = (group: number, more: Exact): void => {
    spilled.set(group, addExact(spilled.get(group) ?? ZERO, more));
  };
  return {
    /** How many numbers each group has. */
    counts,
    /** Adds the number that stands between two places of some bytes, so often. */
    add(group: number, bytes: Buffer, start: number, end: number, times: number): void {
      counts[group] = (counts[group] as number) + times;
      const short = readShortNumber(bytes, start, end);
      if (Number.isNaN(short)) {
        const { units: more, scale } = readLong(bytes.toString("latin1", start, end));
        spill(group, { units: more * BigInt(times), scale });
        return;
      }
      const scale = countDecimals(bytes, start, end);
      const more = Math.round(short * 10 ** scale);
      units[scale] ??= new Float64Array(groups);
      const next = (units[scale][group] as number) + more * times;
      if (Number.isSafeInteger(more * times) && Number.isSafeInteger(next)) units[scale][group] = next;
      else spill(group, { units: BigInt(more) * BigInt(times), scale });
    },
    sumOf(group: number): Exact {
      let sum = spilled.get(group) ?? ZERO;
      units.forEach((sums, scale) => {
        sum = addExact(sum, { units: BigInt(sums[group] as number), scale });
      });
      return sum;
    },
  };
}

/** Finds the mean of numbers, each of which occurs so often. */
export function averageExactly() {
  let isBeyond = false;
  const sum = sumExactly(1, (text) => {
    const exact = readDouble(text);
    isBeyond ||= exact === null;
    return exact ?? ZERO;
  });
  const total = () => sum.counts[0] as number;
  return {
    add: (bytes: Buffer, start: number, end: number, count: number) => sum.add(0, bytes, start, end, count),
    total,
    /** The double nearest to the exact mean; null beyond the doubles. */
    mean(): number | null {
      const mean = divideToDouble(sum.sumOf(0), total());
      return isBeyond || !Number.isFinite(mean) ? null : mean;
    },
  };
}

/** A number with all its digits; null where a double does not hold its size. */
function readDouble(text: string): Exact | null {
  return Number.isFinite(Number(text)) ? readExact(text) : null;
}

/** The double nearest to the value that lies so many quarters of the way between two others. */
export function goBetween(low: number, high: number, quarters: number): number {
  if (low === high || !Number.isFinite(low)) return low;
  const [from, to] = [readDouble(String(low)), readDouble(String(high))];
  if (from === null || to === null) return high;
  const times = ({ units, scale }: Exact, factor: number) => ({ units: units * BigInt(factor), scale });
  return divideToDouble(addExact(times(from, 4 - quarters), times(to, quarters)), 4);
}
