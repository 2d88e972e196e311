import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import type { FileFormat } from "../../../../shared/tables/inspection/verdict.ts";
import { measureFile } from "../../../../shared/tables/statistics/measure-table.ts";
import type { ColumnStats } from "../../../../shared/tables/statistics/summarize-column.ts";
import { MOST_DATA_BYTES } from "../../../support/depth.ts";
import { listDatasets, readDataset } from "../inspection/sources.ts";
import { openTables, prepareFile } from "../rows/reading.ts";

type Histogram = NonNullable<ColumnStats["histogram"]>;

async function measure(
  content: string | Buffer,
  format: FileFormat,
): Promise<{ table: string | null; columns: ColumnStats[] }[]> {
  const ready = await prepareFile(content, format);
  return JSON.parse((await measureFile(ready.file, openTables(ready), 7)).stats);
}

async function histogramOf(cells: readonly (string | number)[]): Promise<Histogram | null> {
  const [table] = await measure(`x\n${cells.join("\n")}\n`, "csv");
  return table?.columns[0]?.histogram ?? null;
}

const count = (length: number, from = 0) => Array.from({ length }, (_, at) => from + at);

/** The days from one to another, as ISO dates. */
function listDays(from: string, length: number): string[] {
  return count(length).map((day) => new Date(Date.parse(from) + day * 86_400_000).toISOString().slice(0, 10));
}

describe("the histogram of whole numbers", () => {
  it("counts numbers that share the double of an edge on their side of it", async () => {
    const cells = ["770774851687553976", "770774851687553985", "770774851687554000"];
    expect((await histogramOf(cells))?.counts).toEqual([2, 1]);
  });

  it.each([
    [
      "up to twenty in a row has one bin for each",
      count(20, 1),
      { from: 1, to: 21, counts: Array(20).fill(1) },
    ],
    [
      "has no hole where the numbers have none",
      count(31),
      { from: 0, to: 32, counts: [...Array(15).fill(2), 1] },
    ],
    [
      "begins at a multiple of its step",
      count(91, 7),
      { from: 5, to: 100, counts: [3, ...Array(17).fill(5), 3] },
    ],
    [
      "below zero is cut downwards",
      [-25, -24, -1, 0, 5],
      { from: -26, to: 6, counts: [1, 1, ...Array(10).fill(0), 1, 1, 0, 1] },
    ],
    ["keeps the holes that the numbers have", [1, 5, 5], { from: 1, to: 6, counts: [1, 0, 0, 0, 2] }],
    [
      "takes 1.0 and 2e1 as whole",
      ["1.0", "2e1", "3"],
      { from: 1, to: 21, counts: [1, 0, 1, ...Array(16).fill(0), 1] },
    ],
    ["is none where all are equal", [7, 7], null],
  ])("%s", async (_name, cells, histogram) => {
    expect(await histogramOf(cells)).toEqual(histogram);
  });

  it("up to the largest that a double tells apart is cut at the very number", async () => {
    const [low, high] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    expect(await histogramOf([low, -1, 0, high])).toEqual({
      from: -1e16,
      to: 1e16,
      counts: [1, ...Array(8).fill(0), 1, 1, ...Array(8).fill(0), 1],
    });
    expect(await histogramOf([5e14 * 16 - 1, 0])).toMatchObject({ to: 8e15 });
  });
});

describe("the histogram of decimal numbers", () => {
  it.each([
    [
      "has round edges, with a number on an edge in the bin that begins there",
      ["0.1", "0.2", "0.3", "0.5", "4.5"],
      { from: 0, to: 5, counts: [3, 1, ...Array(7).fill(0), 1] },
    ],
    [
      "is cut no finer than its numbers are written",
      ["0.1", "0.1", "0.2", "0.3", "0.5"],
      { from: 0.1, to: 0.6, counts: [2, 1, 1, 0, 1] },
    ],
    [
      "of small numbers is cut as that of larger ones",
      ["1e-20", "3e-20"],
      { from: 1e-20, to: 4e-20, counts: [1, 0, 1] },
    ],
    ["far from zero is cut where doubles are told apart", ["1e15", "1000000000000000.5"], null],
    ["is none where its span is beyond a double", ["-1e308", "1e308"], null],
    ["is none where all are too small to be told apart", ["0", "5e-324"], null],
  ])("%s", async (_name, cells, histogram) => {
    expect(await histogramOf(cells)).toEqual(histogram);
  });
});

describe("the histogram of dates", () => {
  it.each([
    [
      "up to twenty days by days",
      listDays("2024-02-20", 20),
      { from: "2024-02-20", to: "2024-03-11", unit: "day", counts: Array(20).fill(1) },
    ],
    [
      "of some weeks by weeks from Monday",
      listDays("2026-11-02", 28),
      { from: "2026-11-02", to: "2026-11-30", unit: "day", counts: [7, 7, 7, 7] },
    ],
    [
      "of a year by months",
      ["2026-01-31", "2026-12-01"],
      { from: "2026-01-01", to: "2027-01-01", unit: "month", counts: [1, ...Array(10).fill(0), 1] },
    ],
    [
      "of months without a day by months",
      ["2026-02", "2026-03", "2026-03"],
      { from: "2026-02-01", to: "2026-04-01", unit: "month", counts: [1, 2] },
    ],
    [
      "of some years by quarters",
      ["2022-05-01", "2026-01-01"],
      { from: "2022-04-01", to: "2026-04-01", unit: "month", counts: [1, ...Array(14).fill(0), 1] },
    ],
    [
      "of decades by years",
      ["2010-06-01", "2026-01-01"],
      { from: "2010-01-01", to: "2027-01-01", unit: "year", counts: [1, ...Array(15).fill(0), 1] },
    ],
    [
      "of all years there are by centuries",
      ["0000-01-01", "0099-12-31", "9999-12-31"],
      { from: "0000-01-01", to: "+010000-01-01", unit: "year", counts: [2, ...Array(18).fill(0), 1] },
    ],
    [
      "with times goes by the day as written",
      ["2026-01-01T23:59:00-12:00", "2026-01-02 00:00"],
      { from: "2026-01-01", to: "2026-01-03", unit: "day", counts: [1, 1] },
    ],
    ["of one day is none", ["2026-01-01", "2026-01-01T10:00Z"], null],
  ])("%s", async (_name, cells, histogram) => {
    expect(await histogramOf(cells)).toEqual(histogram);
  });
});

/** The edges of a histogram's bins, of numbers or of ISO days. */
function listEdges(histogram: Histogram): (number | string)[] {
  const { length } = histogram.counts;
  if (!("unit" in histogram)) {
    const edgeOf = (bin: number) => histogram.from + ((histogram.to - histogram.from) * bin) / length;
    return count(length + 1).map((bin) => Number(edgeOf(bin).toPrecision(14)));
  }
  const days = [histogram.from];
  while ((days.at(-1) as string) < histogram.to) days.push(addUnit(days.at(-1) as string, histogram.unit));
  expect(days.at(-1)).toBe(histogram.to);
  expect((days.length - 1) % length).toBe(0);
  return days.filter((_, at) => at % ((days.length - 1) / length) === 0);
}

function addUnit(day: string, unit: "day" | "month" | "year"): string {
  const date = new Date(day);
  if (unit === "day") date.setUTCDate(date.getUTCDate() + 1);
  if (unit === "month") date.setUTCMonth(date.getUTCMonth() + 1);
  if (unit === "year") date.setUTCFullYear(date.getUTCFullYear() + 1);
  return date.toISOString().slice(0, 10);
}

/** How many cells lie in each bin, by comparing each cell with each edge. */
function countByHand(cells: (number | string)[], edges: (number | string)[]): number[] {
  const bins = edges.length - 1;
  return count(bins).map((bin) => {
    const [low, high] = [edges[bin] as number | string, edges[bin + 1] as number | string];
    return cells.filter((cell) => cell >= low && cell < high).length;
  });
}

const ROUND = /^[125]\.0{5}e/;

function expectByHand(name: string, cells: string[], histogram: Histogram): void {
  const edges = listEdges(histogram);
  expect(histogram.counts.length, name).toBeLessThanOrEqual(20);
  if ("unit" in histogram) {
    const days = cells.map((cell) => (cell.length === 7 ? `${cell}-01` : cell.slice(0, 10)));
    expect(countByHand(days, edges), name).toEqual(histogram.counts);
    return;
  }
  const numbers = cells.map(Number);
  expect(((histogram.to - histogram.from) / histogram.counts.length).toExponential(5), name).toMatch(ROUND);
  if (numbers.every(Number.isSafeInteger)) expect(edges.every(Number.isInteger), name).toBe(true);
  expect([histogram.counts[0] === 0, histogram.counts.at(-1) === 0], name).toEqual([false, false]);
  expect(countByHand(numbers, edges), name).toEqual(histogram.counts);
}

type ReadCells = (column: string, at: number) => string[];

function readCsv(content: Buffer): ReadCells {
  const { data } = Papa.parse<string[]>(content.toString().replace(/^\ufeff/, ""), { skipEmptyLines: true });
  return (_, at) => data.slice(1).flatMap((row) => row[at] || []);
}

function readJson(content: Buffer, table: string | null): ReadCells {
  const read = JSON.parse(content.toString().replace(/^\ufeff/, ""));
  const records: Record<string, unknown>[] = table === null ? read : read[table];
  return (column) => records.map((record) => String(record[column] ?? "")).filter((cell) => cell !== "");
}

const drawn = { number: 0, date: 0 };

function expectColumns(file: string, columns: ColumnStats[], cellsOf: ReadCells): void {
  for (const [at, { name, histogram }] of columns.entries()) {
    if (histogram === null) continue;
    expectByHand(`${file} ${name}`, cellsOf(name, at), histogram);
    drawn["unit" in histogram ? "date" : "number"]++;
  }
}

describe("each column of the outside world is counted as by hand", () => {
  const files = ["csv", "json"].flatMap((ending) => listDatasets(ending, MOST_DATA_BYTES));
  it.each(files)("in %s", { timeout: 240_000 }, async (name) => {
    const content = readDataset(`data/${name}`);
    if (content === null) return;
    const format = name.endsWith("csv") ? "csv" : "json";
    for (const { table, columns } of await measure(content, format)) {
      expectColumns(name, columns, format === "csv" ? readCsv(content) : readJson(content, table));
    }
  });

  it("and there are columns of both kinds", () => {
    if (files.length > 0) expect([drawn.number > 100, drawn.date > 2]).toEqual([true, true]);
  });
});
