import { describe, expect, test } from "vitest";
import { renderStats } from "../../../api/pages/site/creation-stats.ts";
import {
  readTableStats,
  type ShownColumn,
  type TableStats,
} from "../../../shared/tables/statistics/brief-columns.ts";
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
  String(renderStats(tables, { label: "Readings", dictionary: null }, withValues));
const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const endsOf = (html: string) =>
  readPage(html)
    .all("span")
    .map((end) => readText(end));
const sample = (withValues = true) => write(SAMPLE ? [SAMPLE] : [], withValues);

describe("statistics of columns on a page", () => {
  test("tell count, blanks, distinct values, extremes, quartiles and mean of a column of numbers", () => {
    expect(textOf(sample())).toContain(
      "height_m number -2 3.5 2,912 112 391 -1.86 0.38 -0.42 to 1.07 3.41 0.3 ",
    );
  });
  test("draw a histogram of numbers, and say in words what it shows", () => {
    const [, image] = readPage(sample()).all("svg", "role", "img");
    expect(image && readAttribute(image, "aria-label")).toBe(
      "Histogram of 11 steps from -1.86 to 3.41; the fullest, 0 to below 0.5, has 802 values.",
    );
  });
  test("draw nothing of numbers that only name things", () => {
    const said = { columns: [{ name: "height_m", role: "identifier" as const }] };
    const html = SAMPLE && String(renderStats([SAMPLE], { label: "Readings", dictionary: said }, true));
    const count = (text = "") => readPage(text).all("svg", "role", "img").length;
    expect(count(html)).toBe(count(sample()) - 1);
  });
  test("round decimals of means and quartiles, and no whole digit", () => {
    const quartiles = { q1: 0.1 + 0.2, median: 1234567.891, q3: 22210123.4 };
    const column = { ...wide(1).columns[0], mean: -1250999896491911.8, quartiles } as unknown as ShownColumn;
    expect(textOf(write([{ ...wide(1), columns: [column] }]))).toMatch(
      / 1234568 0\.3 to 22210123 .* -1250999896491912 /,
    );
  });
  test.each([
    [{ from: 0, to: 20, counts: [3, 5] }, "the fullest, 10 to below 20, has 5 values", ["0", "20"]],
    [{ from: -0.1, to: 0.3, counts: [1, 2, 1, 2] }, "the fullest, 0 to below 0.1, has 2", ["-0.1", "0.3"]],
    [{ from: 1000000, to: 1000040, counts: [1, 5] }, "1000020 to below 1000040", ["1000000", "1000040"]],
    [{ from: 0, to: 20, counts: Array(20).fill(1) }, "of 4 steps", ["0", "20"]],
    [{ from: -1e15, to: 1e16, counts: [1, 5] }, "of 2 steps", ["-1e+15", "1e+16"]],
    [{ from: 1.7e12, to: 1.7e12 + 200, counts: [1, 5] }, "of 2 steps", ["1.7e+12", "1700000000200"]],
  ])("name a step of numbers by its edges, and the ends below: %j", (histogram, words, ends) => {
    const column = { ...wide(1).columns[0], name: "n", type: "number", histogram } as unknown as ShownColumn;
    const html = write([{ ...wide(1), columns: [column] }]);
    expect(html).toContain(words);
    expect(endsOf(html)).toEqual(ends);
  });
  test.each([
    [
      { from: "2026-11-17", to: "2026-11-20", unit: "day", counts: [1, 3, 1] },
      "2026-11-18",
      ["2026-11-17", "2026-11-19"],
    ],
    [
      { from: "2026-11-02", to: "2026-11-16", unit: "day", counts: [1, 3] },
      "2026-11-09 to 2026-11-15",
      ["2026-11-02", "2026-11-15"],
    ],
    [
      { from: "2026-01-01", to: "2026-05-01", unit: "month", counts: [1, 1, 3, 1] },
      "2026-03-01 to 2026-03-31",
      ["2026-01", "2026-04"],
    ],
    [
      { from: "1900-01-01", to: "1920-01-01", unit: "year", counts: [1, 3] },
      "1910-01-01 to 1919-12-31",
      ["1900", "1919"],
    ],
  ] as const)(
    "name the days of a step of dates, and the ends of the line of time: %j",
    (histogram, days, ends) => {
      const column = { ...wide(1).columns[0], type: "date", histogram } as unknown as ShownColumn;
      const html = write([{ ...wide(1), columns: [column] }]);
      expect(html).toContain(`the fullest, ${days}, has 3 values.`);
      expect(endsOf(html)).toEqual(ends);
    },
  );
  test("list the values of texts that occur most, each with a bar, and say where all differ", () => {
    expect(textOf(sample())).toContain("station text Husum 72 Büsum 72 List 72 Borkum 72 3,024 0 42 Borkum");
    expect(readPage(sample()).all("svg", "aria-hidden", "true")).toHaveLength(4);
    const [names] = SAMPLE?.columns ?? [];
    const unlike = { ...wide(1), columns: names ? [{ ...names, distinct: names.count }] : [] };
    expect(textOf(write([unlike]))).toContain("station text all different 3,024 0 3,024");
  });
  test("say that codes go by their text", () => {
    const column = { ...wide(1).columns[0], type: "text", min: "01067", max: "9" } as ShownColumn;
    expect(textOf(write([{ ...wide(1), columns: [column] }]))).toContain("01067 as text 9 as text");
    const [name] = SAMPLE?.columns ?? [];
    expect(textOf(write([{ ...wide(1), columns: name ? [name] : [] }]))).not.toContain("as text");
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
    ).toEqual([12, 18, 10]);
    expect(textOf(html)).toContain("The first 40 of 65 columns.");
    expect(html.length).toBeLessThan(60_000);
  });

  test("fold behind the first twelve columns of a file, unless three are left", () => {
    const listFolds = (...tables: TableStats[]) => {
      const page = readPage(write(tables));
      return [page.all("details").length, ...page.all("summary").map(readText)];
    };
    expect(listFolds(wide(15))).toEqual([0]);
    expect(listFolds(wide(16))).toEqual([1, "Figures of 4 more columns"]);
    expect(listFolds(wide(12), { ...wide(1), table: "<t>" })).toEqual([1, "Figures of 1 column of <t>"]);
    const names = readPage(write([wide(20)]))
      .all("div", "role", "group")
      .map((group) => readAttribute(group, "aria-label"));
    expect(names).toEqual(["Columns of Readings", "More columns of Readings"]);
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
    expect(renderStats([], { label: "Readings", dictionary: null }, true)).toBeNull();
  });
});
