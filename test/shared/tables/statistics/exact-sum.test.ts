import { expect, it } from "vitest";
import { goBetween, sumExactly } from "../../../../shared/tables/statistics/exact-sum.ts";
import { createRandom } from "../inspection/generated.ts";

const random = createRandom(11);
const DIGITS = 30;

/** The mean of decimals, by a division in whole numbers. */
function divide(cells: readonly { text: string; count: number }[]): number {
  let [sum, total] = [0n, 0n];
  for (const { text, count } of cells) {
    const [whole = "", fraction = ""] = text.replace("-", "").split(".");
    const units = BigInt(whole + fraction.padEnd(DIGITS, "0")) * BigInt(count);
    sum += text.startsWith("-") ? -units : units;
    total += BigInt(count);
  }
  return Number(`${(sum * 10n ** 30n) / total}e-60`);
}

function mean(cells: readonly { text: string; count: number }[]): number | null {
  const sum = sumExactly();
  for (const { text, count } of cells) sum.add(Buffer.from(`,${text},`), 1, text.length + 1, count);
  expect(sum.total()).toBe(cells.reduce((all, { count }) => all + count, 0));
  return sum.mean();
}

function makeCell() {
  const decimals = Math.floor(random() * (random() < 0.3 ? DIGITS : 4));
  const digits = Array.from({ length: decimals }, () => Math.floor(random() * 10)).join("");
  const whole = Math.floor(random() * 10 ** Math.floor(random() * 16));
  const text = `${random() < 0.3 ? "-" : ""}${whole}${decimals === 0 ? "" : `.${digits}`}`;
  return { text, count: 1 + Math.floor(random() * (random() < 0.2 ? 1e6 : 3)) };
}

it("the mean is the double nearest to that of the decimals as they are written", () => {
  expect(mean([{ text: "0.1", count: 3 }])).toBe(0.1);
  expect(mean([{ text: "0.7", count: 6 }])).toBe(0.7);
  for (let round = 0; round < 500; round++) {
    const cells = Array.from({ length: 1 + Math.floor(random() * 12) }, makeCell);
    expect(mean(cells), JSON.stringify(cells)).toBe(divide(cells));
  }
});

it("the mean is of numbers with exponents too, and none beyond the doubles", () => {
  expect(mean(["1e308", "1E+308", "-3"].map((text) => ({ text, count: 1 })))).toBe(6.666666666666666e307);
  expect(mean([{ text: "5e-324", count: 2 }])).toBe(5e-324);
  for (const text of ["1e309", "-1e999999999999", `1${"0".repeat(400)}`])
    expect(mean([{ text, count: 1 }])).toBe(null);
});

it("what lies between two doubles is the double nearest to it", () => {
  expect(goBetween(43.21, 43.23, 3)).toBe(43.225);
  for (let round = 0; round < 500; round++) {
    const [low, high] = [Math.floor(random() * 1e6), Math.floor(random() * 1e6)];
    const quarters = Math.floor(random() * 4);
    const units = low * (4 - quarters) + high * quarters;
    expect(goBetween(low / 100, high / 100, quarters)).toBe(units / 400);
  }
});
