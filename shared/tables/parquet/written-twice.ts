import type { NumberTally, ReadNumbers } from "./cells.ts";

const ODD = /^-?0\d|^-0$|[eE]/;

/** Whether another writing of the same number may stand in its column, and be the one that is written plainly. */
function isOdd(text: string, { fewestDecimals }: NumberTally): boolean {
  if (ODD.test(text)) return true;
  const point = text.indexOf(".");
  return point >= 0 && text.endsWith("0") && text.length - point - 1 > fewestDecimals;
}

/** Columns of more different numbers that are written oddly count as written in two ways: each takes some 100 bytes. */
const MOST_ODD = 1_000_000;

/**
 * Whether two numbers of a column differ as they are written and have one value: `1.10` and `1.1`, `1e3` and `1000`. Of
 * such two, one at least is written oddly: only those are kept. Columns of one way of writing are not read again.
 */
export async function isWrittenTwice(tally: NumberTally, readNumbers: ReadNumbers): Promise<boolean> {
  if (!tally.hasOdd && tally.mostPadded <= tally.fewestDecimals) return false;
  const toValue = tally.isWhole ? BigInt : readDouble;
  const odd = new Map<bigint | number | string, string>();
  await readNumbers((text) => {
    if (odd.size <= MOST_ODD && isOdd(text, tally)) odd.set(toValue(text), text);
  });
  let isTwice = odd.size > MOST_ODD;
  if (odd.size === 0 || isTwice) return isTwice;
  await readNumbers((text) => {
    const other = isTwice ? undefined : odd.get(toValue(text));
    isTwice ||= other !== undefined && other !== text;
  });
  return isTwice;
}

/** A double keeps the sign of zero. */
function readDouble(text: string): number | string {
  const value = Number(text);
  return Object.is(value, -0) ? "-0" : value;
}
