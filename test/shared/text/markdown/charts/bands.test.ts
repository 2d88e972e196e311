import { describe, expect, test } from "vitest";
import { accept, COLOR, expectRefused, refuse, writeRows, X, Y } from "./chart-texts.ts";

const ROWS = [
  { a: "A", b: 5, low: 2, mean: 3 },
  { a: "B", b: 6, low: null, mean: 4 },
];
const Y2 = { field: "low" };
const band = (rows: unknown, channels = {}, mark = "area") =>
  writeRows(rows, { mark, encoding: { x: X, y: Y, y2: Y2, ...channels } });

describe("a band", () => {
  test("lies between y and y2, with a line over it, and is a gap where either is missing", () => {
    const chart = accept(band(ROWS, { line: { field: "mean", type: "quantitative", title: "Mean" } }));
    expect(chart.y2).toMatchObject({ field: "low", type: "quantitative", title: "low" });
    expect(chart.line?.title).toBe("Mean");
    expect(chart.rows.map(({ y, y2, line }) => [y, y2, line])).toEqual([
      [5, 2, 3],
      [6, null, 4],
    ]);
  });

  test("may be negative, and end below where it begins, in each of three groups", () => {
    const rows = ["k", "l", "m"].map((c) => ({ a: "A", b: -5, low: 2, c }));
    expect(accept(band(rows, { color: COLOR })).groups).toHaveLength(3);
  });

  test("has the scale of a line", () => {
    const scale = { type: "log", domain: [1, 10] };
    const rows = [{ a: "A", b: 5, low: 2, mean: 3 }];
    expect(accept(band(rows, { y: { ...Y, scale } })).y.scale).toMatchObject({ log: true });
    expect(refuse(band([{ a: "A", b: 5, low: 0.5 }], { y: { ...Y, scale } }))).toEqual([
      "data.values[0].low (row 1) must lie from 1 to 10, got 0.5; widen encoding.y.scale.domain to [0.5, 10], or leave it out.",
    ]);
  });

  test.each<[string, string, string | RegExp]>([
    [
      "under bars",
      band(ROWS, {}, "bar"),
      'encoding.y2 is for areas alone: write "mark": "area", or leave it out of a bar chart.',
    ],
    [
      "whose line stands alone",
      writeRows(ROWS, { mark: "area", encoding: { x: X, y: Y, line: { field: "mean" } } }),
      "encoding.line is drawn over a band: write encoding.y2 beside it, or leave it out.",
    ],
    [
      "of another type",
      band(ROWS, { y2: { field: "low", type: "ordinal" } }),
      "encoding.y2.type must be quantitative, got ordinal.",
    ],
    ["without a field", band(ROWS, { y2: {} }), /^encoding\.y2\.field is missing/],
    ["of a field that no row has", band(ROWS, { y2: { field: "z" } }), /^encoding\.y2\.field names "z"/],
    [
      "of a text",
      band([...ROWS, { a: "C", b: 1, low: "1" }]),
      'data.values[2].low (row 3) must be a finite number, got "1"; write it as a plain number without quotes.',
    ],
    [
      "of a line of a text",
      band([{ ...ROWS[0], mean: true }], { line: { field: "mean" } }),
      "data.values[0].mean (row 1) must be a finite number, got true.",
    ],
    [
      "without any value",
      band([{ a: "A", b: 1, low: null }]),
      'encoding.y2.field names "low", which has no value in any row.',
    ],
    [
      "whose ends never meet",
      band([
        { a: "A", b: 1, low: null },
        { a: "B", b: null, low: 1 },
      ]),
      "encoding.y2.field has no value in any row that has one for y; a band needs both.",
    ],
    ["of a repeated x", band([ROWS[0], ROWS[0]]), /repeats "A" of row 1; areas take one row each/],
    [
      "of four groups",
      band(
        [1, 2, 3, 4].map((c) => ({ a: "A", b: 1, low: 0, c })),
        { color: COLOR },
      ),
      "encoding.color gives 4 groups; a band chart may have 3. Put the smallest together as one.",
    ],
  ])("is refused %s", (_, source, message) => {
    expectRefused(source, message);
  });
});
