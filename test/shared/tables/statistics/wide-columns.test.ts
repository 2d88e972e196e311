import { expect, test } from "vitest";
import { measureFile } from "../../../../shared/tables/statistics/measure-table.ts";
import { createRandom } from "../inspection/generated.ts";
import { openTables, prepareFile } from "../rows/reading.ts";

const ROWS = 1_100_000;

/** The columns of a table of one column, measured; `missing` stands for blank. */
async function measure(cells: Iterable<string>, missing: string[] = []) {
  const ready = await prepareFile(`x,y\n${[...cells].map((cell) => `${cell},a\n`).join("")}`, "csv");
  const dictionary = { columns: [{ name: "x", missing_values: missing }] };
  const { stats, forms } = await measureFile(ready.file, openTables(ready), 7, dictionary as never);
  const [table] = JSON.parse(stats);
  return { column: table.columns[0], form: JSON.parse(forms)[0][0] };
}

/** Quartiles as everybody learns them, of numbers that are all in memory. */
function findQuartiles(numbers: Float64Array): number[] {
  const sorted = numbers.slice().sort();
  return [0.25, 0.5, 0.75].map((share) => {
    const rank = share * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(rank)] as number, sorted[Math.ceil(rank)] as number];
    return low + (high - low) * (rank % 1);
  });
}

test("a column of over a million different numbers is measured exactly but for how many differ", async () => {
  const random = createRandom(3);
  const numbers = Float64Array.from({ length: ROWS }, () => Math.round((random() - 0.3) * 1e9) / 1e3);
  const { column, form } = await measure(Array.from(numbers, String));
  const { quartiles, mean, ...rest } = column;
  expect(rest).toMatchObject({
    count: ROWS,
    blanks: 0,
    missing: 0,
    distinct: null,
    distinct_over: 1_000_000,
  });
  expect([rest.min, rest.max]).toEqual([
    numbers.reduce((a, b) => Math.min(a, b)),
    numbers.reduce((a, b) => Math.max(a, b)),
  ]);
  expect(rest.top_values).toEqual([]);
  expect([quartiles.q1, quartiles.median, quartiles.q3]).toEqual(findQuartiles(numbers));
  expect(mean).toBeCloseTo(numbers.reduce((sum, one) => sum + one, 0) / ROWS, 6);
  const { from, to, counts } = rest.histogram;
  const found = counts.map((_: number, bin: number) => {
    const [low, high] = [bin, bin + 1].map((at) => from + ((to - from) / counts.length) * at) as [
      number,
      number,
    ];
    return numbers.filter((one) => one >= low && one < high).length;
  });
  expect(counts).toEqual(found);
  expect(form).toBe("decimal");
}, 60_000);

test("what stands for blank is left out of a wide column, whose type is that of the rest", async () => {
  const cells = Array.from({ length: ROWS }, (_, at) => (at % 100 === 0 ? "n/a" : String(at)));
  const { column, form } = await measure(cells, ["n/a"]);
  expect(column).toMatchObject({
    type: "number",
    missing: ROWS / 100,
    count: ROWS - ROWS / 100,
    min: 1,
    max: ROWS - 1,
  });
  expect(column).toMatchObject({ distinct: null, quartiles: { median: ROWS / 2 } });
  expect(form).toBe("integer");
}, 60_000);

test("wide columns of times and texts have their ends, and times their bins", async () => {
  const start = Date.UTC(2020, 0, 1);
  const times = Array.from({ length: ROWS }, (_, at) => new Date(start + at * 9_000).toISOString());
  const { column, form } = await measure(times);
  expect(column).toMatchObject({ type: "date", distinct: null, min: times[0], max: times.at(-1) });
  const counts = [48_000, ...new Array(15).fill(67_200), 44_000];
  expect(column.histogram).toEqual({ from: "2019-12-30", to: "2020-04-27", unit: "day", counts });
  expect(form).toBe("time");
  const texts = await measure(times.map((time) => `t ${time}`));
  expect(texts.column).toMatchObject({
    type: "text",
    distinct: null,
    min: `t ${times[0]}`,
    max: `t ${times.at(-1)}`,
  });
  expect(texts.column).toMatchObject({ histogram: null, top_values: [] });
}, 60_000);
