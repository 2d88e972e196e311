import { describe, expect, it } from "vitest";
import type { FileFormat } from "../../../../shared/tables/inspection/verdict.ts";
import { listTables } from "../../../../shared/tables/rows/plan.ts";
import { measureTable } from "../../../../shared/tables/statistics/measure-table.ts";
import type { ColumnStats } from "../../../../shared/tables/statistics/summarize-column.ts";
import { MOST_DATA_BYTES, runs } from "../../../support/depth.ts";
import { createRandom, makeCsv } from "../inspection/generated.ts";
import { makeJson } from "../inspection/generated-json.ts";
import { inspect, listDatasets, readDataset } from "../inspection/sources.ts";
import { readAll } from "../rows/differential-queries.ts";
import { openTables, prepareFile } from "../rows/reading.ts";

/** Statistics of every table of a file, with the texts they came as. */
async function measure(content: string | Buffer, format: FileFormat, marks: readonly string[] = []) {
  const ready = await prepareFile(content, format);
  const open = openTables(ready);
  const measured = listTables(ready.file).map(async ({ name, columns, position, rowCount }) => {
    const missing = new Map(columns.map((column) => [column.name, marks]));
    const table = { format, columns, rowCount, read: open({ position }), missing };
    const json = (await measureTable(table, columns, 7)).map((column) => column.json);
    return { name, json, columns: json.map((text): ColumnStats => JSON.parse(text)) };
  });
  return await Promise.all(measured);
}

async function measureOne(content: string, format: FileFormat = "csv"): Promise<ColumnStats> {
  const [column] = (await measure(content, format))[0]?.columns ?? [];
  if (column === undefined) throw new Error("no column");
  return column;
}

describe("statistics of a column", () => {
  it.each([
    ["-999", ["007", "9"], "text"],
    ["NA", ["12E12", "34E05"], "text"],
    ["NA", ["007", "9", "true"], "mixed"],
    ["NA", ["12E12", "1"], "number"],
    ["0000", ["1", "2"], "number"],
    ["NA", [], "blank"],
  ])("have the type of what is left without %s: of %j it is %s", async (mark, cells, type) => {
    const content = `n\n${[mark, ...cells].join("\n")}\n`;
    expect((await measure(content, "csv", [mark]))[0]?.columns[0]?.type).toBe(type);
  });

  it("of numbers are exact, with quartiles between ranks", async () => {
    expect(await measureOne("n,x\n4,\n1,\n3,\n2,\n,\n2,\n")).toEqual({
      name: "n",
      type: "number",
      count: 5,
      blanks: 1,
      missing: 0,
      distinct: 4,
      min: 1,
      max: 4,
      mean: 2.4,
      quartiles: { q1: 2, median: 2, q3: 3 },
      histogram: { from: 1, to: 5, counts: [1, 2, 1, 1] },
      top_values: [
        { value: "2", count: 2 },
        { value: "4", count: 1 },
        { value: "1", count: 1 },
        { value: "3", count: 1 },
      ],
    });
    expect((await measureOne("n\n1\n2\n3\n4\n")).quartiles).toEqual({ q1: 1.75, median: 2.5, q3: 3.25 });
  });

  it("of numbers beyond doubles tell the smallest and the largest digit by digit", async () => {
    const [table] = await measure(
      "n\n12345678901234567890\n12345678901234567891\n12345678901234567889\n",
      "csv",
    );
    expect(table?.json[0]).toContain('"min":12345678901234567889,"max":12345678901234567891');
    const huge = await measureOne("n\n1e999\n7\n-1\n");
    expect(huge).toMatchObject({ min: -1, mean: null, quartiles: null, histogram: null, distinct: 3 });
  });

  it("of texts and dates have a first and a last, by code point", async () => {
    expect(await measureOne("t\nb\n\ud83d\ude00\n\uffee\nB\n")).toMatchObject({
      min: "B",
      max: "😀",
      mean: null,
    });
    const [first, last] = ["1999-12-31", "2026-02-01"];
    expect(await measureOne(`d\n${last}\n${first}\n`)).toMatchObject({ type: "date", min: first, max: last });
  });

  it("of other kinds count values, and tell a JSON text from the number that looks like it", async () => {
    expect(await measureOne('[{"a":1},{"a":"1"},{"a":"\\u0031"},{"a":null},{"a":""},{}]', "json")).toEqual({
      name: "a",
      type: "mixed",
      count: 3,
      blanks: 3,
      missing: 0,
      distinct: 2,
      min: null,
      max: null,
      mean: null,
      quartiles: null,
      histogram: null,
      top_values: [
        { value: "1", count: 2 },
        { value: 1, count: 1 },
      ],
    });
    expect((await measureOne('[{"a":{"b":[1.50]}},{"a":{"b": [1.50]}}]', "json")).top_values).toEqual([
      { value: { b: [1.5] }, count: 2 },
    ]);
    expect(await measureOne("a,b\n,\n,\n")).toMatchObject({
      type: "blank",
      count: 0,
      blanks: 2,
      missing: 0,
      distinct: 0,
    });
  });

  it("cut a long value and keep short ones whole", async () => {
    const { top_values, max } = await measureOne(`t\n${"é".repeat(101)}\n${"x".repeat(100)}\n`);
    expect(top_values.map(({ value }) => value)).toEqual([`${"é".repeat(100)}…`, "x".repeat(100)]);
    expect(max).toBe(`${"é".repeat(100)}…`);
    const nested = await measureOne(`[{"a":["${"y".repeat(200)}"]}]`, "json");
    expect(nested.top_values[0]?.value).toBe(`["${"y".repeat(98)}…`);
  });

  it("count every value, also where there are more than ten thousand", async () => {
    const rows = Array.from({ length: 60_000 }, (_, at) => `${at % 25_000},${at < 9 ? "often" : `v${at}`}`);
    const [table] = await measure(`n,t\n${rows.join("\n")}\n`, "csv");
    expect(table?.columns.map(({ distinct }) => distinct)).toEqual([25_000, 59_992]);
    expect(table?.columns[1]?.top_values[0]).toEqual({ value: "often", count: 9 });
  });
});

it("each list of a JSON document has statistics of its own", async () => {
  const tables = await measure('{"a":[{"x":1}],"n":3,"b":[{"y":"t"},{"y":"t"}]}', "json");
  expect(tables.map(({ name, columns }) => [name, columns.map((column) => column.top_values)])).toEqual([
    ["a", [[{ value: 1, count: 1 }]]],
    ["b", [[{ value: "t", count: 2 }]]],
  ]);
});

interface Told {
  count: number;
  distinct: number;
  mean: number | null;
  median: number | null;
  top: number[];
}

/** The plain way: all cells of a column as texts in a list. */
function summarizePlainly(cells: string[], type: string): Told {
  const filled = cells.filter((cell) => cell !== "" && cell !== "null" && cell !== '""');
  const counts = new Map<string, number>();
  for (const cell of filled) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const numbers = type === "number" ? filled.map(Number).toSorted((one, other) => one - other) : [];
  const middle = (numbers.length - 1) / 2;
  const [low = 0, high = 0] = [numbers[Math.floor(middle)], numbers[Math.ceil(middle)]];
  return {
    count: filled.length,
    distinct: counts.size,
    mean: numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0) / numbers.length,
    median: numbers.length === 0 ? null : (low + high) / 2,
    top: [...counts.values()].toSorted((one, other) => other - one).slice(0, 10),
  };
}

function expectPlain(columns: ColumnStats[], cellsOf: (name: string, index: number) => string[]): void {
  for (const [index, column] of columns.entries()) {
    const told = summarizePlainly(cellsOf(column.name, index), column.type);
    expect([column.count, column.distinct], column.name).toEqual([told.count, told.distinct]);
    expect(
      column.top_values.map(({ count }) => count),
      column.name,
    ).toEqual(told.top);
    if (told.mean === null || !Number.isFinite(told.mean)) continue;
    const scale =
      1e-9 *
      Math.max(
        Math.abs(told.mean),
        1e-300,
        ...cellsOf(column.name, index).map((cell) => Math.abs(Number(cell)) || 0),
      );
    expect(Math.abs((column.mean ?? 0) - told.mean), column.name).toBeLessThanOrEqual(scale);
    expect(Math.abs((column.quartiles?.median ?? 0) - (told.median ?? 0)), column.name).toBeLessThanOrEqual(
      scale,
    );
    const counted = column.histogram?.counts.reduce((sum, step) => sum + step, 0) ?? column.count;
    expect(counted, column.name).toBe(column.count);
  }
}

async function expectPlainFile(content: Buffer, format: FileFormat): Promise<number> {
  const [table] = await measure(content, format);
  if (table === undefined) return 0;
  if (format === "csv") {
    const { rows } = await readAll(await prepareFile(content, format), "");
    expectPlain(table.columns, (_, index) => rows.map((row) => String(row[index] ?? "")));
  } else {
    const read = JSON.parse(content.toString().replace(/^\ufeff/, ""));
    const records: Record<string, unknown>[] = table.name === null ? read : read[table.name];
    expectPlain(table.columns, (name) =>
      records.map((record) => JSON.stringify(Object.hasOwn(record, name) ? record[name] : null)),
    );
  }
  return table.columns.length;
}

describe("statistics are those of the plain way", () => {
  it("on generated CSV files", { timeout: 240_000 }, async () => {
    const random = createRandom(11);
    let columns = 0;
    for (let at = 0; at < runs(4_000); at++) {
      const content = makeCsv(random);
      if (!(await inspect(content, "csv")).ok) continue;
      columns += await expectPlainFile(content, "csv");
    }
    expect(columns).toBeGreaterThan(runs(4_000) / 4);
  });

  it("on generated JSON files", { timeout: 240_000 }, async () => {
    const random = createRandom(12);
    let columns = 0;
    for (let at = 0; at < runs(40_000); at++) {
      const content = makeJson(random);
      // JavaScript's own parser writes 1.50 as 1.5, and a number over 2 to the power of 53 as another.
      if (/\d\.\d*0|\d[eE]|-0|\d{16}/.test(content.toString()) || !(await inspect(content, "json")).ok)
        continue;
      columns += await expectPlainFile(content, "json");
    }
    expect(columns).toBeGreaterThan(runs(40_000) / 80);
  });

  it.each(["csv", "json"].flatMap((ending) => listDatasets(ending, MOST_DATA_BYTES)))(
    "on %s",
    { timeout: 240_000 },
    async (name) => {
      const content = readDataset(`data/${name}`);
      if (content === null) return;
      const format = name.endsWith("csv") ? "csv" : "json";
      if (format === "json" && /\d\.\d*0[,\s}\]]|\d[eE][+-]?\d/.test(content.toString())) return;
      await expectPlainFile(content, format);
    },
  );
});
