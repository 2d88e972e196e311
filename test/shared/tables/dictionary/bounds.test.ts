import { expect, test } from "vitest";
import { readBound } from "../../../../shared/tables/dictionary/bounds.ts";
import { findUnitCode } from "../../../../shared/tables/dictionary/dictionary.ts";
import { prepareFile } from "../rows/reading.ts";
import { findFaults } from "./checking.ts";

const compare = (cell: string, bound: string) => Math.sign(readBound(bound)?.compare(cell) ?? Number.NaN);

test("numbers compare with every digit, however large", () => {
  expect(compare("0.1", "0.1000000000000000055511151231257827")).toBe(-1);
  expect(compare("9007199254740993", "9007199254740992")).toBe(1);
  expect(compare("1e999999", "9".repeat(100))).toBe(1);
  expect(compare("-0", "0.000")).toBe(0);
  expect(compare("NA", "5")).toBeNaN();
});

test("dates compare with those that are written as they are", () => {
  expect(compare("2026-01-31", "2026-02-01")).toBe(-1);
  expect(compare("2026-01", "2026-02-01")).toBeNaN();
  expect(compare("2026-12", "2026-02")).toBe(1);
  expect(compare("2026-02-30", "2026-02-01")).toBeNaN();
  expect([readBound("2026-02-30"), readBound("soon"), readBound("")]).toEqual([null, null, null]);
});

test("a cell that may be a bound itself is told beside it that the bound may be written otherwise", async () => {
  const findSentence = async (cell: string, minimum: string) => {
    const dictionary = { columns: [{ name: "d", minimum }] };
    const ready = await prepareFile(`d\n${cell}\n`, "csv");
    return Object.values(findFaults([{ label: "D", ready, dictionary }]))
      .flat()
      .join(" ");
  };
  for (const [cell, minimum] of [
    ["2026-01-31", "2026"],
    ["2026-01", "2026-01-01"],
    ["2026-01-31T10:00", "2026-01-31T10:00Z"],
  ] as const)
    expect(await findSentence(cell, minimum)).toContain(
      "; write the bound as the cells are, or list it under",
    );
  expect(await findSentence("NA", "5")).toContain("not a number; list it under missing_values");
});

test("times compare as instants, also over zones, years and leap days", () => {
  expect(compare("2026-01-31T12:00:00+02:00", "2026-01-31T10:00Z")).toBe(0);
  expect(compare("2026-01-31 23:30-0100", "2026-02-01T00:30:00.000000000Z")).toBe(0);
  expect(compare("2026-01-31T12:00:00.000000001Z", "2026-01-31T12:00:00Z")).toBe(1);
  expect(compare("2024-02-29T23:59:59Z", "2024-03-01T00:00:00Z")).toBe(-1);
  expect(compare("0000-03-01T00:00", "0000-02-29T23:59:59,5")).toBe(1);
  expect(compare("2026-01-31T12:00", "2026-01-31T12:00Z")).toBeNaN();
  for (const text of [
    "1970-01-01T00:00:00Z",
    "1600-02-29T01:02:03Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
  ]) {
    const second = new Date(Date.parse(text) + 1_000).toISOString().replace(".000Z", "Z");
    const isWithin = /^\d{4}-/.test(second);
    if (isWithin) expect([text, compare(second, text)]).toEqual([text, 1]);
  }
});

test("usual units and currencies have codes, other words none", () => {
  expect(["m", "kg/m3", "Cel", "%"].map(findUnitCode)).toEqual([
    "UCUM:m",
    "UCUM:kg/m3",
    "UCUM:Cel",
    "UCUM:%",
  ]);
  expect([findUnitCode("EUR"), findUnitCode("eur"), findUnitCode("apples")]).toEqual([
    "ISO4217:EUR",
    null,
    null,
  ]);
});
