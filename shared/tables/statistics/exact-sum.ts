import { addExact, divideToDouble, type Exact, readExact } from "../questions/exact.ts";
import { countDecimals, readShortNumber } from "../rows/decimal.ts";

/** Adds numbers up exactly: short ones in whole doubles as long as these are exact, all others in BigInts. */
export function sumExactly() {
  let [total, isBeyond] = [0, false];
  const units: number[] = [];
  const spilled: bigint[] = [];
  const spill = (more: bigint, scale: number): void => {
    spilled[scale] = (spilled[scale] ?? 0n) + more;
  };
  return {
    /** Adds the number that stands between two places of some bytes, so often. */
    add(bytes: Buffer, start: number, end: number, count: number): void {
      total += count;
      const short = readShortNumber(bytes, start, end);
      if (Number.isNaN(short)) {
        const exact = readDouble(bytes.toString("latin1", start, end));
        if (exact === null) isBeyond = true;
        else spill(exact.units * BigInt(count), exact.scale);
        return;
      }
      const scale = countDecimals(bytes, start, end);
      const more = Math.round(short * 10 ** scale);
      const next = (units[scale] ?? 0) + more * count;
      if (Number.isSafeInteger(more * count) && Number.isSafeInteger(next)) units[scale] = next;
      else spill(BigInt(more) * BigInt(count), scale);
    },
    total: () => total,
    /** The double nearest to the exact mean; null beyond the doubles. */
    mean(): number | null {
      for (const [scale, more] of units.entries()) if (more !== undefined) spill(BigInt(more), scale);
      units.length = 0;
      let sum: Exact = { units: 0n, scale: 0 };
      spilled.forEach((more, scale) => {
        sum = addExact(sum, { units: more, scale });
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
