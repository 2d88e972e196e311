import { expect, test } from "vitest";
import { accept, expectRefused, writeRows, X, Y } from "./chart-texts.ts";

const FACET = { field: "place", type: "nominal" };
const facet = (rows: unknown, more = {}) =>
  writeRows(rows, { encoding: { x: X, y: Y, facet: FACET, ...more } });

test("facets are the names of their field in the order of the data, each with its own rows", () => {
  const chart = accept(
    facet([
      { a: "A", b: 1, place: "Husum" },
      { a: "A", b: 2, place: 7 },
      { a: "B", b: 3, place: "Husum" },
    ]),
  );
  expect(chart.facets).toEqual(["Husum", "7"]);
  expect(chart.rows.map((row) => row.facet)).toEqual([0, 1, 0]);
});

test.each<[string, string, string | RegExp]>([
  [
    "a row without one",
    facet([
      { a: "A", b: 1, place: "Husum" },
      { a: "B", b: 1 },
    ]),
    "data.values[1].place (row 2) is missing; every row needs a name for facet.",
  ],
  [
    "25 of them",
    facet(Array.from({ length: 25 }, (_, place) => ({ a: "A", b: 1, place }))),
    "encoding.facet gives 25 small charts; there may be 24. Leave some out, or put the smallest together.",
  ],
  [
    "dates",
    facet([{ a: "A", b: 1, place: "2026" }], { facet: { ...FACET, type: "temporal" } }),
    "encoding.facet.type must be nominal or ordinal, got temporal.",
  ],
  [
    "an x that is repeated in one",
    facet([
      { a: "A", b: 1, place: "Husum" },
      { a: "A", b: 2, place: "Husum" },
    ]),
    /repeats "A" of row 1 in the facet "Husum"; bars take one row each/,
  ],
  [
    "the member at the top",
    writeRows([{ a: "A", b: 1 }], { facet: FACET }),
    /^facet is not accepted \(write encoding\.facet: /,
  ],
])("facets are refused for %s", (_, source, message) => {
  expectRefused(source, message);
});
