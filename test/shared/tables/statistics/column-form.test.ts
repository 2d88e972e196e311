import { expect, test } from "vitest";
import { measureFile } from "../../../../shared/tables/statistics/measure-table.ts";
import { openTables, prepareFile } from "../rows/reading.ts";

/** The form of the only column of a table with these cells. */
async function formOf(cells: readonly unknown[], format: "csv" | "json" = "csv"): Promise<string> {
  const text =
    format === "csv"
      ? `x,y\n${cells.map((cell) => `${cell},\n`).join("")}`
      : JSON.stringify(cells.map((x) => ({ x })));
  const ready = await prepareFile(text, format);
  const { forms } = await measureFile(ready.file, openTables(ready), 7);
  return JSON.parse(forms)[0][0];
}

test.each([
  [["1", "-20", "7", ""], "integer"],
  [["1", "2.0"], "decimal"],
  [["1", "1e5"], "decimal"],
  [["1", "1E5"], "decimal"],
  [["1", "1e999999"], "vast"],
  [["1", "9".repeat(400)], "vast"],
  [["2026-01-31", "", "2026-02-01"], "day"],
  [["2026-01", "2026-02"], "month"],
  [["2026-01", "2026-02-01"], "dates"],
  [["2026-01-31T10:00:00Z", "2026-01-31T10:00:00.5Z"], "time"],
  [["2026-01-31T10:00:00", "2026-02-01T10:00:00"], "time"],
  [["2026-01-31T10:00:00+01:00", "2026-02-01T10:00:00+01:00"], "time"],
  [["2026-01-31T10:00:00Z", "2026-01-31T10:00:00+01:00"], "times"],
  [["2026-01-31T10:00:00", "2026-01-31T10:00:00Z"], "times"],
  [["2026-01-31T10:00:00Z", "2026-01-31 10:00"], "times"],
  [["2026-01-31 10:00", "2026-01-31T10:00:00Z"], "times"],
  [["2026-01-31 10:00", "2026-02-01"], "dates"],
  [["true", "FALSE", "true"], "FALSE true"],
  [["one", "2"], ""],
  [["", ""], ""],
])("a CSV column of %j has the form %j", async (cells, form) => {
  expect(await formOf(cells)).toBe(form);
});

test.each([
  [[1, null, 2], "integer"],
  [[1, 2.5], "decimal"],
  [[true, false], "false true"],
  [["2026-01-31", "2026-02-01"], "day"],
  [[{ a: 1 }], ""],
])("a JSON column of %j has the form %j", async (cells, form) => {
  expect(await formOf(cells, "json")).toBe(form);
});
