const [MINUS, POINT, ZERO, CAPITAL_E, SMALL_E] = [0x2d, 0x2e, 0x30, 0x45, 0x65];

/** How the numbers of a column are written, as far as it was read. */
export interface WritingTally {
  /** Whether a number has an exponent or a leading zero, or is -0. */
  hasOdd: boolean;
  /** The fewest digits behind the point, and the most of a number that ends with a zero there. */
  fewestDecimals: number;
  mostPadded: number;
}

/** The tally of a column of which nothing was read. */
export function startWriting(): WritingTally {
  return { hasOdd: false, fewestDecimals: Number.POSITIVE_INFINITY, mostPadded: 0 };
}

/** Counts in how the number between two places is written. */
export function tallyWriting(tally: WritingTally, bytes: Buffer, start: number, end: number): void {
  const first = bytes[start] === MINUS ? start + 1 : start;
  let point = end;
  for (let at = first; at < end; at++) {
    const byte = bytes[at];
    if (byte === POINT) point = at;
    else if (byte === SMALL_E || byte === CAPITAL_E) {
      tally.hasOdd = true;
      return;
    }
  }
  const isMinusZero = first > start && end - first === 1;
  if (bytes[first] === ZERO && (point - first > 1 || isMinusZero)) tally.hasOdd = true;
  const decimals = Math.max(0, end - point - 1);
  if (decimals < tally.fewestDecimals) tally.fewestDecimals = decimals;
  if (decimals > tally.mostPadded && bytes[end - 1] === ZERO) tally.mostPadded = decimals;
}

const ODD = /^-?0\d|^-0$|[eE]/;

/** Whether another writing of the same number may stand in its column, and be the one that is written plainly. */
function isOdd(text: string, { fewestDecimals }: WritingTally): boolean {
  if (ODD.test(text)) return true;
  const point = text.indexOf(".");
  return point >= 0 && text.endsWith("0") && text.length - point - 1 > fewestDecimals;
}

/** Reads the numbers of a column in their order, as they are written. */
export type ReadNumbers = (look: (text: string) => void) => Promise<void>;

/** Columns of more different numbers that are written oddly count as written in two ways: each takes some 100 bytes. */
const MOST_ODD = 1_000_000;

/**
 * Whether two numbers of a column differ as they are written and have one value: `1.10` and `1.1`, `1e3` and `1000`. Of
 * such two, one at least is written oddly: only those are kept. Columns of one way of writing are not read again.
 */
export async function isWrittenTwice(
  tally: WritingTally,
  readNumbers: ReadNumbers,
  areWhole: boolean,
): Promise<boolean> {
  if (!tally.hasOdd && tally.mostPadded <= tally.fewestDecimals) return false;
  const toValue = areWhole ? BigInt : readDouble;
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
