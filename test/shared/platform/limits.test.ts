import { expect, test } from "vitest";
import { readLimitValue } from "../../../shared/ground/limits.ts";
import { readLimits } from "../../../shared/platform/environment/limits.ts";

test.each([
  ["storageBytes", "104857600", 104_857_600],
  ["storageBytes", "1GB", 1_000_000_000],
  ["storageBytes", " 500 mb ", 500_000_000],
  ["storageBytes", "1GiB", 1_073_741_824],
  ["fileBytes", "1.5KiB", 1536],
  ["fileBytes", "0", 0],
  ["files", "40", 40],
  ["files", "1GB", null],
  ["files", "40.5", null],
  ["fileBytes", "1.5", null],
  ["fileBytes", "1e6", null],
  ["fileBytes", "-1", null],
  ["fileBytes", "", null],
  ["fileBytes", "GB", null],
  ["fileBytes", "1PB", null],
  ["fileBytes", "9007199254740993", null],
] as const)("the limit %s is read from %j as %j", (name, text, value) => {
  expect(readLimitValue(name, text)).toBe(value);
});

test("a variable of bytes takes a size, and the refusal of another value says what it takes", () => {
  expect(readLimits({ LIMIT_STORAGE_BYTES: "2GB" })).toMatchObject({
    limits: { storageBytes: 2_000_000_000 },
    problems: [],
  });
  expect(readLimits({ LIMIT_STORAGE_BYTES: "much", LIMIT_FILES: "2GB" }).problems).toEqual([
    "LIMIT_FILES cannot be used: a whole number of 0 or more.",
    "LIMIT_STORAGE_BYTES cannot be used: a whole number of 0 or more, or a size such as 500MB, 1GB or 1GiB.",
  ]);
});
