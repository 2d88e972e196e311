import type { FilterOp } from "../../../../../shared/tables/rows/conditions.ts";

/**
 * Whether a cell, null when blank, meets a condition: numbers by value unless their column is one of texts, everything
 * else by code point.
 */
export function holds(
  cell: string | null,
  { op, value }: { op: FilterOp; value: string | null },
  isText = false,
): boolean {
  if (value === null || value === "") return (cell === null) === (op === "eq");
  if (cell === null) return op === "ne";
  if (op === "contains") return withoutCase(cell).includes(withoutCase(value));
  const order = isText ? compareTexts(cell, value) : compare(cell, value);
  return { eq: order === 0, ne: order !== 0, gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[
    op
  ];
}

const withoutCase = (text: string): string => text.toLowerCase().replaceAll("ς", "σ");

function compare(one: string, other: string): number {
  const numbers = [one, other].map(readNumber);
  const [left, right] = numbers;
  return left && right ? compareNumbers(left, right) : compareTexts(one, other);
}

/** The bytes of UTF-8 are in the order of the code points. */
function compareTexts(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** A number as its sign and 0.digits times ten to the power of `exponent`. */
interface Decimal {
  sign: number;
  digits: string;
  exponent: bigint;
}

function readNumber(text: string): Decimal | null {
  const [, minus, whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === "") return null;
  const all = whole + fraction;
  const digits = all.replace(/^0+/, "").replace(/0+$/, "");
  const zeros = all.length - all.replace(/^0+/, "").length;
  const exponent = BigInt(power.replace("+", "")) + BigInt(whole.length - zeros);
  return digits === "" ? { sign: 0, digits, exponent: 0n } : { sign: minus ? -1 : 1, digits, exponent };
}

function compareNumbers(left: Decimal, right: Decimal): number {
  if (left.sign !== right.sign) return left.sign - right.sign;
  if (left.exponent !== right.exponent) return left.exponent > right.exponent ? left.sign : -left.sign;
  if (left.digits === right.digits) return 0;
  return left.digits > right.digits ? left.sign : -left.sign;
}
