import { describe, expect, it } from "vitest";
import { inspectTable } from "./sources.ts";

const csvTypes: [type: string, cells: string[]][] = [
  ["number", ["1", "-2", "3.50", "1e5", "-4E-7", "2026"]],
  ["number", ["0", "0.5", "-0", "12E12", "0e1", "10"]],
  ["text", ["1", "007", "2"]],
  ["text", ["-007"]],
  ["text", ["01.5", '"12"']],
  ["text", ["12", "0164A", "00"]],
  ["text", ["12E12", "34E05", "", "10E3"]],
  ["number", ["12E12", "12e12"]],
  ["number", ["1E12", "12E+12"]],
  ["mixed", ["07", "2026-01-31"]],
  ["text", ["+1"]],
  ["text", [".5"]],
  ["text", ["5."]],
  ["text", ["NaN"]],
  ["text", ["Infinity"]],
  ["text", ['"1,000"']],
  ["text", ["5 %"]],
  ["text", [" 5"]],
  ["text", ["0x1F"]],
  ["text", ["\u0661"]],
  ["date", ["2026-01-31", "2024-02-29", "1999-12"]],
  ["date", ["2026-01-31T23:59:59Z", "2026-01-31 08:00", "2026-01-31T08:00:00.123+02:00"]],
  ["text", ["2026-02-30"]],
  ["text", ["2023-02-29"]],
  ["text", ["2026-13-01"]],
  ["text", ["2026-1-1"]],
  ["text", ["31.01.2026"]],
  ["text", ["2026-01-31T24:00:00Z"]],
  ["date", ["2026-01-31T08:00+14:00", "2026-01-31T08:00-0330", "2026-01-31T08:00+00"]],
  ["text", ["2026-01-31T08:00+24:00"]],
  ["text", ["2026-01-31T08:00+02:60"]],
  ["text", ["2026-01-31 08:00:00 UTC"]],
  ["text", ["08:00:00", "2026-W05", "2026-Q1"]],
  ["boolean", ["true", "false", "TRUE", "False"]],
  ["text", ["yes"]],
  ["text", ["tRUE"]],
  ["blank", ["", '""']],
  ["mixed", ["1", "x"]],
  ["mixed", ["1", "2026-01-01"]],
  ["mixed", ["true", "1"]],
];

describe("a CSV column is", () => {
  it.each(csvTypes)("%s for %j", async (type, cells) => {
    const table = await inspectTable(`id,c\n${cells.map((cell) => `1,${cell}\n`).join("")}`, "csv");
    expect(table.columns[1]).toMatchObject({ type });
  });

  it("typed by its filled cells, with the others counted as blanks", async () => {
    const table = await inspectTable("id,c\n1,\n2,5\n3,\n", "csv");
    expect(table.columns[1]).toEqual({ name: "c", type: "number", blanks: 2 });
  });
});

const jsonTypes: [type: string, values: unknown[]][] = [
  ["number", [1, -2.5, 1e300]],
  ["text", ["1", "x"]],
  ["text", ["true"]],
  ["date", ["2026-01-31", "2026-01-31T10:00:00Z"]],
  ["boolean", [true, false]],
  ["object", [{ a: 1 }, {}]],
  ["array", [[1], []]],
  ["blank", [null, ""]],
  ["mixed", [1, "x"]],
  ["mixed", [{}, []]],
  ["mixed", ["x", "2026-01-31"]],
];

describe("a JSON column is", () => {
  it.each(jsonTypes)("%s for %j", async (type, values) => {
    const rows = values.map((value) => ({ id: 1, c: value }));
    const table = await inspectTable(JSON.stringify(rows), "json");
    expect(table.columns[1]).toMatchObject({ type });
  });

  it("blank where the key is missing, also before its first appearance", async () => {
    const table = await inspectTable('[{"a":1},{"a":2,"b":3},{"b":null},{"b":""}]', "json");
    expect(table.columns).toEqual([
      { name: "a", type: "number", blanks: 2 },
      { name: "b", type: "number", blanks: 3 },
    ]);
  });
});
