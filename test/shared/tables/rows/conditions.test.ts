import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareCodePoints } from "../../../../shared/tables/rows/conditions.ts";
import { compareDecimals, createDecimalComparison } from "../../../../shared/tables/rows/decimal.ts";
import { runs } from "../../../support/depth.ts";
import { leastCpuMs } from "../../../support/growth.ts";

describe("texts", () => {
  it("compare by code point, as their UTF-8 bytes do", () => {
    expect(compareCodePoints("\u{1f600}", "\uffee")).toBeGreaterThan(0);
    const text = fc.string({
      unit: fc.constantFrom("a", "\uffee", "\ue000", "\u{1f600}", "\u{10ffff}", "\ud7ff"),
    });
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(Math.sign(compareCodePoints(left, right))).toBe(
          Buffer.compare(Buffer.from(left), Buffer.from(right)),
        );
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe("decimals", () => {
  /** The number as a whole number of units of ten to the power of -60. */
  function toUnits(text: string): bigint {
    const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
    if (match === null) throw new Error(text);
    const fraction = match[3] ?? "";
    const units =
      BigInt((match[2] ?? "") + fraction) * 10n ** BigInt(60 - fraction.length + Number(match[4] ?? 0));
    return match[1] === "-" ? -units : units;
  }
  const digits = fc
    .array(fc.constantFrom(..."0019"), { minLength: 1, maxLength: 20 })
    .map((list) => list.join(""));
  const decimal = fc
    .tuple(fc.constantFrom("", "-"), digits, fc.option(digits), fc.option(fc.integer({ min: -12, max: 12 })))
    .map(([sign, whole, fraction, exponent]) => {
      return `${sign}${whole}${fraction === null ? "" : `.${fraction}`}${exponent === null ? "" : `e${exponent}`}`;
    });

  it("compare as exact numbers", () => {
    fc.assert(
      fc.property(decimal, decimal, (left, right) => {
        const difference = toUnits(left) - toUnits(right);
        const sign = difference < 0n ? -1 : difference > 0n ? 1 : 0;
        expect(Math.sign(compareDecimals(left, right))).toBe(sign);
        expect(Math.sign(createDecimalComparison(right)(left))).toBe(sign);
      }),
      { numRuns: runs(3000) },
    );
  });

  it.each([
    ["1e1000000000000000000", "1e999999999999999999"],
    ["0.1e-999999999999999999", "0"],
    ["-1e-5", "-1e5"],
    ["123456789012345678901234567891", "123456789012345678901234567890"],
    ["1e400", "1e399"],
    ["1e-400", "1e-401"],
    ["1e10000000000000000000", "10e9999999999999999998"],
    ["-1e399", "-1e400"],
  ])("%s is over %s", (greater, lesser) => {
    expect(createDecimalComparison(lesser)(greater)).toBeGreaterThan(0);
    expect(createDecimalComparison(greater)(lesser)).toBeLessThan(0);
    expect(createDecimalComparison(greater)(greater)).toBe(0);
    expect(compareDecimals(greater, lesser)).toBeGreaterThan(0);
    expect(compareDecimals(lesser, greater)).toBeLessThan(0);
    expect(compareDecimals(greater, greater)).toBe(0);
  });

  it("with an exponent of a million digits lie beyond a wanted one, and take no time to read", () => {
    const exponent = "9".repeat(1_000_000);
    const compare = createDecimalComparison("1e400");
    const compareAll = () => {
      expect([`1e${exponent}`, `-1e${exponent}`, `0e${exponent}`].map(compare)).toEqual([1, -1, -1]);
      expect(createDecimalComparison("1e-400")(`1e-${exponent}`)).toBe(-1);
    };
    expect(leastCpuMs(compareAll, 400)).toBeLessThan(400);
  });
});
