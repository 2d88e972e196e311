import { addExact, divideToDouble, type Exact, readExact } from "../questions/exact.ts";

/** Adds numbers up exactly. */
export function sumExactly() {
  let [total, isBeyond] = [0, false];
  /** What was added, by its decimals. */
  const sums: bigint[] = [];
  return {
    /** Adds the number that stands between two places of some bytes, so often. */
    add(bytes: Buffer, start: number, end: number, count: number): void {
      total += count;
      const exact = readDouble(bytes.toString("latin1", start, end));
      if (exact === null) isBeyond = true;
      else sums[exact.scale] = (sums[exact.scale] ?? 0n) + exact.units * BigInt(count);
    },
    total: () => total,
    /** The double nearest to the exact mean; null beyond the doubles. */
    mean(): number | null {
      let sum: Exact = { units: 0n, scale: 0 };
      sums.forEach((units, scale) => {
        sum = addExact(sum, { units, scale });
      });
      const mean = divideToDouble(sum, total);
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
