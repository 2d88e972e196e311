import { expect, test } from "vitest";
import { accept, writeRows, X, Y } from "./chart-texts.ts";

const rows = [
  { a: "b", n: 2, c: "one" },
  { a: "a", n: 5, c: "one" },
  { a: "c", n: 1, c: "one" },
  { a: "b", n: 3, c: "two" },
  { a: "d", n: null, c: "two" },
];
const order = (value: unknown, lying = false) => {
  const names = { field: "a", type: "nominal", sort: value };
  const numbers = { field: "n", type: "quantitative" };
  const encoding = lying ? { x: numbers, y: names } : { x: names, y: numbers };
  const source = writeRows(rows, { encoding: { ...encoding, color: { field: "c", type: "nominal" } } });
  return accept(source);
};

test.each([
  ["y", false, "cbad"],
  ["-y", false, "bacd"],
  ["x", true, "cbad"],
  ["-x", true, "bacd"],
  ["ascending", false, "abcd"],
  ["descending", true, "dcba"],
  [["d", "c"], false, "dcba"],
  [null, false, "bacd"],
])(
  "names are ordered by %j: stacks by their sum, ties and what a list leaves out in data order",
  (value, lying, names) => {
    const chart = order(value, lying);
    expect(chart.categories.join("")).toBe(names);
    expect(chart.rows.map(({ x, at }) => [x, chart.categories[at]])).toEqual(rows.map(({ a }) => [a, a]));
  },
);

test("names are ordered by the size of numbers, words as people do", () => {
  const by = (names: readonly unknown[]) =>
    accept(
      writeRows(
        names.map((a) => ({ a, b: 1 })),
        { encoding: { x: { ...X, sort: "ascending" }, y: Y } },
      ),
    ).categories;
  expect(by([10, 9, -2])).toEqual(["-2", "9", "10"]);
  expect(by(["Zug", "ähnlich", "Weg 10", "Weg 9"])).toEqual(["ähnlich", "Weg 9", "Weg 10", "Zug"]);
});
