import { expect, test } from "vitest";
import { measureFile } from "../../../../shared/tables/statistics/measure-table.ts";
import { createRandom } from "../inspection/generated.ts";
import { LARGE_WINDOW, openTables, prepareFile } from "../rows/reading.ts";

const ROWS = 1_100_000;
/** Every hundredth number stands for blank. */
const BLANK = "n/a";
const isBlank = (row: number) => row % 100 === 0;

const random = createRandom(3);
const numbers = Float64Array.from({ length: ROWS }, () => Math.round((random() - 0.3) * 1e9) / 1e3);
const filled = numbers.filter((_, row) => !isBlank(row));
const START = Date.UTC(2020, 0, 1);
const timeOf = (row: number) => new Date(START + row * 9_000).toISOString();

/** A table with a column of numbers, one of whole numbers, one of times and one of texts, measured. */
async function measure() {
  const lines = ["number,whole,time,text\n"];
  for (const [row, number] of numbers.entries()) {
    const cells = isBlank(row) ? `${BLANK},${BLANK}` : `${number},${row}`;
    lines.push(`${cells},${timeOf(row)},t ${timeOf(row)}\n`);
  }
  const ready = await prepareFile(lines.join(""), "csv");
  const columns = ["number", "whole"].map((name) => ({ name, missing_values: [BLANK] }));
  const { stats, forms } = await measureFile(ready.file, openTables(ready, LARGE_WINDOW), 7, {
    columns,
  } as never);
  return { columns: JSON.parse(stats)[0].columns, forms: JSON.parse(forms)[0] };
}

/** Quartiles as everybody learns them, of numbers of thousandths that are all in memory. */
function findQuartiles(all: Float64Array): number[] {
  const sorted = all.slice().sort();
  return [0.25, 0.5, 0.75].map((share) => {
    const rank = share * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(rank)] as number, sorted[Math.ceil(rank)] as number];
    const quarters = 4 * (rank % 1);
    return (Math.round(low * 1e3) * (4 - quarters) + Math.round(high * 1e3) * quarters) / 4e3;
  });
}

/** How many numbers are in each of some bins of one width. */
function countBins(all: Float64Array, { from, to, counts }: { from: number; to: number; counts: number[] }) {
  return counts.map((_, bin) => {
    const low = from + ((to - from) / counts.length) * bin;
    const high = from + ((to - from) / counts.length) * (bin + 1);
    return all.filter((one) => one >= low && one < high).length;
  });
}

test("columns of over a million different values are measured exactly but for how many differ", async () => {
  const { columns, forms } = await measure();
  const [number, whole, time, text] = columns;
  const missing = ROWS / 100;
  for (const column of columns)
    expect(column).toMatchObject({ blanks: 0, distinct: null, distinct_over: 1_000_000, top_values: [] });
  const [min, max] = filled.reduce(([a, b], one) => [Math.min(a, one), Math.max(b, one)], [0, 0]);
  expect(number).toMatchObject({ type: "number", count: ROWS - missing, missing, min, max });
  const { quartiles, mean, histogram } = number;
  expect([quartiles.q1, quartiles.median, quartiles.q3]).toEqual(findQuartiles(filled));
  expect(mean).toBeCloseTo(filled.reduce((sum, one) => sum + one, 0) / filled.length, 6);
  expect(histogram.counts).toEqual(countBins(filled, histogram));
  expect(whole).toMatchObject({ missing, min: 1, max: ROWS - 1, quartiles: { median: ROWS / 2 } });
  expect(time).toMatchObject({ type: "date", count: ROWS, min: timeOf(0), max: timeOf(ROWS - 1) });
  const counts = [48_000, ...new Array(15).fill(67_200), 44_000];
  expect(time.histogram).toEqual({ from: "2019-12-30", to: "2020-04-27", unit: "day", counts });
  expect(text).toMatchObject({ type: "text", min: `t ${timeOf(0)}`, max: `t ${timeOf(ROWS - 1)}` });
  expect(text.histogram).toBe(null);
  expect(forms.slice(0, 3)).toEqual(["decimal", "integer", "time"]);
});
