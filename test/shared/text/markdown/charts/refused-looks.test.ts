import { describe, expect, test } from "vitest";
import { checkChart } from "../../../../../shared/text/markdown/charts/parse-chart.ts";
import { accept, expectRefused, refuse, write, writeRows, X, Y } from "./chart-texts.ts";

type Json = Record<string, unknown>;

const NUMBERS = [
  { a: 1, b: 28 },
  { a: 2, b: 55 },
];

/** A chart of some mark with these members of its x and y; its rows have numbers on both. */
const look = (mark: string, { x = {}, y = {} }: { x?: Json; y?: Json }, values: unknown = NUMBERS) => {
  const type = mark === "bar" ? "ordinal" : "quantitative";
  return writeRows(values, { mark, encoding: { x: { field: "a", type, ...x }, y: { ...Y, ...y } } });
};
const scale = (mark: string, value: unknown, values?: unknown) => look(mark, { y: { scale: value } }, values);
const axis = (value: unknown) => look("line", { y: { axis: value } });
const sort = (value: unknown) => write({ encoding: { x: { ...X, sort: value }, y: Y } });

test("a stacked area beyond a domain is refused on its own row, in its own facet", () => {
  const rows = [
    { a: "2026", b: 5, c: "one", f: "A" },
    { a: "2026", b: 6, c: "one", f: "B" },
    { a: "2026", b: 7, c: "two", f: "B" },
  ];
  const encoding = {
    x: { field: "a", type: "temporal" },
    y: { ...Y, scale: { domain: [0, 10] } },
    color: { field: "c", type: "nominal" },
    facet: { field: "f", type: "nominal" },
  };
  expect(refuse(writeRows(rows, { mark: "area", encoding }))).toEqual([
    "data.values[2].b (row 3) must lie from 0 to 10, got a stack of 13; widen encoding.y.scale.domain to [0, 13], or leave it out.",
  ]);
});

test.each<[string, string, string | RegExp]>([
  [
    "a scale of names",
    look("bar", { x: { scale: { zero: true } } }),
    "encoding.x.scale is for a quantitative field, got ordinal; leave it out.",
  ],
  [
    "a scale of colours",
    write({ encoding: { x: X, y: Y, color: { field: "a", type: "nominal", scale: {} } } }),
    "encoding.color.scale is not accepted (every group has its own colour); allowed here: field, type, title.",
  ],
  ["a scale that is null", scale("line", null), /^encoding\.y\.scale must be an object, got null; write/],
  [
    "another type",
    scale("line", { type: "sqrt" }),
    'encoding.y.scale.type must be linear or log, got "sqrt".',
  ],
  [
    "another member",
    scale("line", { nice: false }),
    "encoding.y.scale.nice is not accepted; allowed here: type, zero, domain.",
  ],
  ["a zero as a number", scale("line", { zero: 0 }), "encoding.y.scale.zero must be true or false, got 0."],
  [
    "a zero beside a domain",
    scale("line", { zero: true, domain: [0, 60] }),
    /^encoding\.y\.scale\.zero stands beside domain/,
  ],
  [
    "a domain upside down",
    scale("line", { domain: [60, 0] }),
    "encoding.y.scale.domain must be [a, b], two numbers with a below b, got [60, 0].",
  ],
  ["a domain of three", scale("line", { domain: [0, 1, 2] }), /two numbers with a below b, got a list\.$/],
  ["a domain of texts", scale("line", { domain: ["0", "9"] }), /with a below b, got \["0", "9"\]\.$/],
  [
    "a log scale with zero",
    scale("line", { type: "log", zero: true }),
    "encoding.y.scale.zero must not be true on a log scale, which never comes to 0; leave it out.",
  ],
  [
    "a log scale from 0",
    scale("line", { type: "log", domain: [0, 60] }),
    "encoding.y.scale.domain must lie above 0 on a log scale, got [0, 60].",
  ],
  [
    "a log scale of bars",
    scale("bar", { type: "log" }),
    /^encoding\.y\.scale\.type must be linear, got log: bars show/,
  ],
  [
    "a log scale of areas",
    scale("area", { type: "log" }),
    /^encoding\.y\.scale\.type must be linear, got log: areas show/,
  ],
  [
    "bars without zero",
    scale("bar", { zero: false }),
    /^encoding\.y\.scale\.zero must not be false: bars show/,
  ],
  [
    "a domain of areas without 0",
    scale("area", { domain: [10, 60] }),
    /^encoding\.y\.scale\.domain must hold 0, got \[10, 60\]: areas show/,
  ],
  [
    "a value outside the domain",
    scale("line", { domain: [0, 50] }),
    "data.values[1].b (row 2) must lie from 0 to 50, got 55; widen encoding.y.scale.domain to [0, 55], or leave it out.",
  ],
  [
    "an x outside the domain",
    look("point", { x: { scale: { domain: [0, 1] } } }),
    "data.values[1].a (row 2) must lie from 0 to 1, got 2; widen encoding.x.scale.domain to [0, 2], or leave it out.",
  ],
  [
    "nought on a log scale",
    scale("point", { type: "log" }, [...NUMBERS, { a: 3, b: 0 }]),
    "data.values[2].b (row 3) must be above 0 on a log scale, got 0; leave the row out, or use a linear scale.",
  ],
  [
    "a stack beyond the domain",
    writeRows(
      [
        { a: "A", b: 30, c: "one" },
        { a: "A", b: 30, c: "two" },
      ],
      {
        encoding: {
          x: X,
          y: { ...Y, scale: { domain: [0, 50] } },
          color: { field: "c", type: "nominal" },
        },
      },
    ),
    "data.values[1].b (row 2) must lie from 0 to 50, got a stack of 60; widen encoding.y.scale.domain to [0, 60], or leave it out.",
  ],
  [
    "an axis of names",
    look("bar", { x: { axis: { unit: "m" } } }),
    "encoding.x.axis is for a quantitative field, got ordinal; leave it out.",
  ],
  [
    "a title of an axis",
    axis({ title: "Metres" }),
    "encoding.y.axis.title is not accepted (write title beside field); allowed here: format, unit.",
  ],
  [
    "a format of money",
    axis({ format: "$,.2f" }),
    'encoding.y.axis.format must be a format such as ",", ",.1f", ".0%", "~s" or "d" (a part of d3-format), got "$,.2f"; write a currency as unit.',
  ],
  ["a format of dates", axis({ format: "%Y" }), /^encoding\.y\.axis\.format must be a format such as/],
  ["a format that is no text", axis({ format: 2 }), /got 2\.$/],
  [
    "a long unit",
    axis({ unit: "x".repeat(21) }),
    /^encoding\.y\.axis\.unit must have at most 20 characters, got 21/,
  ],
  [
    "an order of numbers",
    look("line", { y: { sort: "ascending" } }),
    "encoding.y.sort is for names, of a nominal or ordinal field, got quantitative; leave it out.",
  ],
  [
    "an order by the own channel",
    sort("-x"),
    'encoding.x.sort must be "y", "-y", "ascending", "descending" or a list of names, got "-x"; null keeps the order of the data.',
  ],
  ["an order as an object", sort({ field: "b" }), /^encoding\.x\.sort must be "y".*got an object;/],
  ["an empty list", sort([]), "encoding.x.sort must be a list of 1 to 500 names, got 0."],
  [
    "a list in a list",
    sort(["A", ["B"]]),
    /^encoding\.x\.sort\[1\] must be a name that the rows have, got a list/,
  ],
  ["a name twice", sort(["A", "B", "A"]), 'encoding.x.sort[2] repeats "A"; write each name once.'],
  [
    "a name that is not in the data",
    sort(["B", "Z"]),
    'encoding.x.sort[1] is "Z", a name that no row has; leave it out, or write it as the rows do.',
  ],
])("%s is refused", (_, source, message) => {
  expectRefused(source, message);
});

describe("is taken", () => {
  test.each([
    ["a domain that ends at its values", scale("line", { domain: [28, 55] })],
    ["a linear scale of bars with zero", scale("bar", { type: "linear", zero: true })],
    ["a domain of an area's x without 0", look("area", { x: { scale: { domain: [1, 2] } } })],
    ["a log scale of x", look("point", { x: { scale: { type: "log" } } })],
    ["every form of a format", axis({ format: ",.2~f" })],
    ["an empty format", axis({ format: "", unit: "m³/s" })],
    ["no order", sort(null)],
    [
      "a stack whose sum is a domain's end but for its last digit",
      writeRows(
        [
          { a: "A", b: 0.1, c: "x" },
          { a: "A", b: 0.2, c: "y" },
        ],
        {
          encoding: {
            x: X,
            y: { ...Y, scale: { domain: [0, 0.3] } },
            color: { field: "c", type: "nominal" },
          },
        },
      ),
    ],
  ])("%s", (_, source) => void accept(source));

  test("the order of a chart whose rows are not known yet", () => {
    const from = { asset_id: "01M7WVM8W0T8NYB19BE1ATAT9N", content_sha256: "a".repeat(64) };
    const encoding = { x: { ...X, sort: ["Z"] }, y: Y };
    expect(checkChart(write({ data: { from }, encoding })).problems).toEqual([]);
  });
});

test("a row has one problem with its scale, and many of a kind are counted", () => {
  const many = Array.from({ length: 100 }, (_, a) => ({ a, b: -a }));
  const messages = refuse(scale("line", { type: "log" }, many));
  expect(messages).toHaveLength(11);
  expect(messages[10]).toMatch(/^data\.values: 90 more rows have the same problem \(not above 0\)\.$/);
});

test("all rows outside a domain are told in one sentence on the first, with the domain that holds them", () => {
  const many = [...NUMBERS, ...Array.from({ length: 21 }, (_, a) => ({ a: a + 3, b: a % 2 ? -a : 50 + a }))];
  const [message, ...others] = refuse(scale("line", { domain: [0, 50] }, many));
  expect([message, others]).toEqual([
    "data.values[1].b (row 2) must lie from 0 to 50, got 55 (21 rows are outside, from -19 to 70); widen encoding.y.scale.domain to [-19, 70], or leave it out.",
    [],
  ]);
  expect(refuse(scale("line", { domain: [-19, 70] }, many))).toEqual(["(accepted)"]);
  expect(refuse(scale("line", { type: "log", domain: [1, 60] }, [...NUMBERS, { a: 3, b: -1 }]))).toEqual([
    "data.values[2].b (row 3) must be above 0 on a log scale, got -1; leave the row out, or use a linear scale.",
  ]);
});
