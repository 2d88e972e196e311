/** A number as written, as a fraction of whole numbers. */
export interface Fraction {
  over: bigint;
  under: bigint;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

export function isNumeric(text: string): boolean {
  return NUMBER.test(text);
}

export function toFraction(text: string): Fraction {
  const [, minus, whole, fraction = "", power = "0"] = NUMBER.exec(text) ?? [];
  const digits = BigInt(`${minus}${whole}${fraction}`);
  const exponent = Number(power) - fraction.length;
  if (exponent >= 0) return { over: digits * 10n ** BigInt(exponent), under: 1n };
  return { over: digits, under: 10n ** BigInt(-exponent) };
}

export function add(one: Fraction, other: Fraction): Fraction {
  return { over: one.over * other.under + other.over * one.under, under: one.under * other.under };
}

export function compareFractions(one: Fraction, other: Fraction): number {
  const difference = one.over * other.under - other.over * one.under;
  return difference === 0n ? 0 : difference > 0n ? 1 : -1;
}

/** A decimal fraction in its shortest plain form, by long division. */
export function toDecimal({ over, under }: Fraction): string {
  const sign = over < 0n ? "-" : "";
  const positive = over < 0n ? -over : over;
  let rest = positive % under;
  let text = `${positive / under}`;
  if (rest > 0n) text += ".";
  while (rest > 0n) {
    rest *= 10n;
    text += rest / under;
    rest %= under;
  }
  return sign + text;
}

/** The double nearest to a fraction: of those around a first guess the one with the smallest distance. */
export function toDouble(wanted: Fraction): number {
  const view = new DataView(new ArrayBuffer(8));
  const [scaled, digits] = [(wanted.over * 10n ** 30n) / wanted.under, 30];
  const guess = Number(`${scaled}e-${digits}`);
  if (guess === 0) return 0;
  view.setFloat64(0, guess);
  const bits = view.getBigUint64(0);
  const distances = [bits - 1n, bits, bits + 1n].map((near) => {
    view.setBigUint64(0, near);
    const double = view.getFloat64(0);
    const gap = add(exactly(double), { over: -wanted.over, under: wanted.under });
    return { near, double, gap: { ...gap, over: gap.over < 0n ? -gap.over : gap.over } };
  });
  distances.sort(
    (one, other) => compareFractions(one.gap, other.gap) || Number((one.near & 1n) - (other.near & 1n)),
  );
  return distances[0]?.double ?? guess;
}

/** The value of a double, halved or doubled until it is whole. */
function exactly(double: number): Fraction {
  let under = 1n;
  let value = double;
  while (!Number.isInteger(value)) {
    value *= 2;
    under *= 2n;
  }
  return { over: BigInt(value), under };
}
