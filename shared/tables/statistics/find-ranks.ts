const DIGIT_BITS = 16;
const DIGIT_VALUES = 2 ** DIGIT_BITS;
const DIGIT_MASK = DIGIT_VALUES - 1;
const SIGN = 0x80000000;

/** How often all numbers have to be shown to the search for ranks: once for each digit of their order. */
export const RANK_PASSES = 4;

/** A number by its place in the order of all: its first digits, and how many of those that begin so come before it. */
interface SoughtRank {
  digits: number[];
  rank: number;
  counts: Float64Array;
}

/**
 * Finds numbers by their places among any number of doubles, in memory of a fixed size: each pass over them finds one
 * more of the four digits of 16 bits by which doubles are in order.
 */
export function searchRanks() {
  const double = new Float64Array(1);
  const halves = new Uint32Array(double.buffer);
  let sought: SoughtRank[] = [{ digits: [], rank: 0, counts: new Float64Array(DIGIT_VALUES) }];
  const isOfPrefix = ({ digits }: SoughtRank, high: number, low: number): boolean => {
    for (let at = 0; at < digits.length; at++) if (digits[at] !== digitOf(high, low, at)) return false;
    return true;
  };
  return {
    add(value: number, count: number): void {
      // Of the two zeros, which are equal, one has to stand for both.
      double[0] = value + 0;
      let [low, high] = [halves[0] as number, halves[1] as number];
      if ((high & SIGN) === 0) high = (high | SIGN) >>> 0;
      else [low, high] = [~low >>> 0, ~high >>> 0];
      for (const one of sought) {
        if (!isOfPrefix(one, high, low)) continue;
        const digit = digitOf(high, low, one.digits.length);
        one.counts[digit] = (one.counts[digit] as number) + count;
      }
    },
    /** Ends a pass; the first says which ranks are sought, from 0. */
    endPass(ranks: readonly number[] = []): void {
      const [only] = sought;
      if (ranks.length > 0 && only !== undefined)
        sought = ranks.map((rank) => ({ ...only, digits: [], rank }));
      sought = sought.map(findDigit);
    },
    /** The numbers at the ranks, once every pass is done. */
    found: (): number[] =>
      sought.map(({ digits: [first = 0, second = 0, third = 0, fourth = 0] }) => {
        let [low, high] = [third * DIGIT_VALUES + fourth, first * DIGIT_VALUES + second];
        if ((high & SIGN) !== 0) high = (high & ~SIGN) >>> 0;
        else [low, high] = [~low >>> 0, ~high >>> 0];
        halves.set([low, high]);
        return double[0] as number;
      }),
  };
}

function digitOf(high: number, low: number, at: number): number {
  const half = at < 2 ? high : low;
  return at % 2 === 0 ? half >>> DIGIT_BITS : half & DIGIT_MASK;
}

function findDigit({ digits, rank, counts }: SoughtRank): SoughtRank {
  let [digit, before] = [0, 0];
  while (digit < DIGIT_MASK && before + (counts[digit] as number) <= rank)
    before += counts[digit++] as number;
  return { digits: [...digits, digit], rank: rank - before, counts: new Float64Array(DIGIT_VALUES) };
}
