import { expect, it } from "vitest";
import { inspectTable } from "./sources.ts";

const csvTypes: [type: string, cells: string[]][] = [
  ["text", ["1", "007", "2"]],
  ["text", ["01.5", '"12"']],
  ["text", ["12", "0164A", "00"]],
  ["text", ["12E12", "34E05", "", "10E3"]],
  ["number", ["12E12", "12e12"]],
  ["number", ["1E12", "12E+12"]],
  ["mixed", ["07", "2026-01-31"]],
  ["text", ["\u0661"]],
  ["text", ["2026-01-31T24:00:00Z"]],
  ["date", ["2026-01-31T08:00+14:00", "2026-01-31T08:00-0330", "2026-01-31T08:00+00"]],
  ["text", ["2026-01-31T08:00+24:00"]],
  ["text", ["2026-01-31T08:00+02:60"]],
  ["text", ["2026-01-31 08:00:00 UTC"]],
];

it.each(csvTypes)("a CSV column is %s for %j", async (type, cells) => {
  const table = await inspectTable(`id,c\n${cells.map((cell) => `1,${cell}\n`).join("")}`, "csv");
  expect(table.columns[1]).toMatchObject({ type });
});
