import { describe, expect, test } from "vitest";
import { renderStats } from "../../../api/pages/site/creation-stats.ts";
import { readTableStats, type ShownColumn, type TableStats } from "../../../shared/core/stats/read-stats.ts";
import { readAttribute, readPage, readText } from "./dom.ts";
import { DATASET } from "./samples.ts";

const [SAMPLE] = DATASET.files[0]?.stats ?? [];
const wide = (count: number, leftOut = 0): TableStats => {
  const [first] = SAMPLE?.columns ?? [];
  if (SAMPLE === undefined || first === undefined) throw new Error("The sample has no statistics.");
  return {
    ...SAMPLE,
    columns: Array.from({ length: count }, (_, at) => ({ ...first, name: `c${at}` })),
    columns_left_out: leftOut,
  };
};
const write = (tables: TableStats[], withValues = true) =>
  String(renderStats(tables, "Readings", withValues));
const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const sample = (withValues = true) => write(SAMPLE ? [SAMPLE] : [], withValues);

describe("statistics of columns on a page", () => {
  test("tell count, blanks, distinct values, extremes, quartiles and mean of a column of numbers", () => {
    expect(textOf(sample())).toContain("height_m number 2,912 112 391 -1.86 -0.42 0.38 1.07 3.41 0.3 ");
  });
  test("draw a histogram of numbers, and say in words what it shows", () => {
    const [, image] = readPage(sample()).all("svg", "role", "img");
    expect(image && readAttribute(image, "aria-label")).toBe(
      "Histogram of 10 steps from -1.86 to 3.41; the fullest, 0.248 to 0.775, has 802 values.",
    );
  });
  test.each([
    [{ from: 0, to: 20, counts: [3, 5] }, "19", "the fullest, 10 to 19, has 5 values"],
    [{ from: 0, to: 2, counts: [6, 5] }, "1", "the fullest, 0, has 6 values"],
    [{ from: 0, to: 20, counts: [3, 5] }, "20", "the fullest, 10 to 20, has 5 values"],
  ])("name the whole numbers of a step, not its edges: %j", (histogram, max, words) => {
    const column = { ...wide(1).columns[0], name: "n", type: "number", max, histogram } as ShownColumn;
    expect(write([{ ...wide(1), columns: [column] }])).toContain(words);
  });
  test.each([
    [{ from: "2026-11-17", to: "2026-11-20", unit: "day", counts: [1, 3, 1] }, "2026-11-18"],
    [{ from: "2026-11-02", to: "2026-11-16", unit: "day", counts: [1, 3] }, "2026-11-09 to 2026-11-15"],
    [
      { from: "2026-01-01", to: "2026-05-01", unit: "month", counts: [1, 1, 3, 1] },
      "2026-03-01 to 2026-03-31",
    ],
    [{ from: "1900-01-01", to: "1920-01-01", unit: "year", counts: [1, 3] }, "1910-01-01 to 1919-12-31"],
  ] as const)("name the days of a step of dates: %j", (histogram, days) => {
    const column = { ...wide(1).columns[0], type: "date", histogram } as unknown as ShownColumn;
    expect(write([{ ...wide(1), columns: [column] }])).toContain(`the fullest, ${days}, has 3 values.`);
  });
  test("list the values of texts that occur most, each with a bar, and say where all differ", () => {
    expect(textOf(sample())).toContain("station text Husum 72 Büsum 72 List 72 Borkum 72 3,024 0 42 Borkum");
    expect(readPage(sample()).all("svg", "aria-hidden", "true")).toHaveLength(4);
    const [names] = SAMPLE?.columns ?? [];
    const unlike = { ...wide(1), columns: names ? [{ ...names, distinct: names.count }] : [] };
    expect(textOf(write([unlike]))).toContain("station text all different 3,024 0 3,024");
  });
  test("show no value where the agent wants no preview", () => {
    const text = textOf(sample(false));
    expect(text).toContain("Column Count Blanks Distinct station text 3,024 0 42 measured_at");
    expect(text).not.toMatch(/Husum|3\.41|Median/);
    expect(sample(false)).not.toContain("<svg");
  });
  test("keep the digits of numbers that are beyond doubles", () => {
    const json =
      '[{"table":null,"row_count":1,"columns":[{"name":"n","type":"number","count":1,"blanks":0,"distinct":1,"min":12345678901234567891,"max":12345678901234567891,"mean":1e19,"quartiles":null,"histogram":null,"top_values":[{"value":"12345678901234567891","count":1}]}],"columns_left_out":0}]';
    expect(textOf(write(readTableStats(json)))).toContain("12345678901234567891");
  });
  test("stop at forty columns of a file and say so", () => {
    const html = write([wide(30), { ...wide(30, 5), table: "second" }]);
    expect(
      readPage(html)
        .all("tbody")
        .map((body) => readText(body).match(/c\d+/g)?.length),
    ).toEqual([30, 10]);
    expect(textOf(html)).toContain("The first 40 of 65 columns.");
    expect(html.length).toBeLessThan(60_000);
  });

  test("of a document with many lists only the first are shown", () => {
    const html = write(Array.from({ length: 5_000 }, () => wide(1)));
    expect(readPage(html).all("table")).toHaveLength(10);
    expect(textOf(html)).toContain("The first 10 of 5,000 columns.");
  });
  test("escape what the file says", () => {
    const evil = { ...wide(1), table: "<b>" };
    const [column] = evil.columns;
    if (column)
      Object.assign(column, { name: "<script>", min: "<i>", top_values: [{ value: "<u>", count: 2 }] });
    expect(write([evil])).not.toMatch(/<(script|i|u|b)>/);
  });
  test("are not there where a file took too long to measure", () => {
    expect(renderStats([], "Readings", true)).toBeNull();
  });
});
