import { describe, expect, test } from "vitest";
import { checkChart } from "../../../../../shared/text/markdown/charts/parse-chart.ts";
import { accept, expectRefused, refuse, write, X, Y } from "./chart-texts.ts";

const annotate = (annotations: unknown, x: object = X) => write({ annotations, encoding: { x, y: Y } });
const rule = (place: unknown, label: unknown = "Target") => annotate([{ rule: place, label }]);
const DAY = { field: "a", type: "temporal" };
const days = (annotation: object) =>
  write({
    mark: "line",
    data: { values: [{ a: "2026-01", b: 1 }] },
    encoding: { x: DAY, y: Y },
    annotations: [{ label: "Crisis", ...annotation }],
  });

describe("annotations", () => {
  test("are lines, spans and places, each in the form of its channel", () => {
    const { annotations } = accept(
      annotate([
        { rule: { y: 40 }, label: " Target " },
        { band: { x: ["A", "B"] }, label: "Both" },
        { point: { x: "B", y: 60.5 }, label: "Most" },
      ]),
    );
    const [a, b] = [
      { written: "A", at: 0 },
      { written: "B", at: 1 },
    ];
    const [target, most] = [
      { written: 40, at: 40 },
      { written: 60.5, at: 60.5 },
    ];
    expect(annotations).toEqual([
      { kind: "rule", label: "Target", x: null, y: [target, target] },
      { kind: "band", label: "Both", x: [a, b], y: null },
      { kind: "point", label: "Most", x: [b, b], y: [most, most] },
    ]);
  });

  test("are dates as rows write them, in any of their forms", () => {
    const [found] = accept(days({ band: { x: ["2020", "2026-03-31"] } })).annotations;
    expect(found?.x?.map(({ at }) => new Date(at).toISOString().slice(0, 10))).toEqual([
      "2020-01-01",
      "2026-03-31",
    ]);
  });

  test("of names follow them where they are sorted", () => {
    const chart = accept(
      write({
        encoding: { x: { ...X, sort: "-y" }, y: Y },
        annotations: [
          { point: { x: "A", y: 28 }, label: "Last" },
          { band: { x: ["A", "B"] }, label: "Both" },
        ],
      }),
    );
    expect(chart.categories).toEqual(["B", "A"]);
    expect(chart.annotations.map(({ x }) => x?.map(({ at }) => at))).toEqual([
      [1, 1],
      [1, 0],
    ]);
  });

  test("of names wait for the rows of a question", () => {
    const from = { asset_id: "01M7WVM8W0T8NYB19BE1ATAT9N", content_sha256: "0".repeat(64) };
    const block = write({
      data: { from },
      annotations: [{ band: { x: ["Bremen", "Emden"] }, label: "Both" }],
    });
    expect(checkChart(block).problems).toEqual([]);
  });

  test.each<[string, string, string | RegExp]>([
    ["no list", annotate({}), /^annotations must be a list, got an object; write \[/],
    [
      "too many",
      annotate(Array.from({ length: 11 }, () => ({}))),
      "annotations may hold 10, got 11; leave some out.",
    ],
    ["no object", annotate(["x"]), /^annotations\[0\] must be an object, got "x"/],
    [
      "an unknown member",
      annotate([{ rule: { y: 1 }, label: "L", color: "red" }]),
      /^annotations\[0\]\.color/,
    ],
    [
      "none of the three",
      annotate([{ label: "L" }]),
      /^annotations\[0\] must have one of rule, band and point, got none/,
    ],
    [
      "two of the three",
      annotate([{ rule: { y: 1 }, point: { x: "A", y: 1 }, label: "L" }]),
      /got rule and point; write/,
    ],
    [
      "no label",
      annotate([{ rule: { y: 1 } }]),
      "annotations[0].label is missing; write 1 to 80 characters.",
    ],
    ["an empty label", rule({ y: 1 }, " "), "annotations[0].label is missing; write 1 to 80 characters."],
    ["a label that is a number", rule({ y: 1 }, 7), /^annotations\[0\]\.label must be a text, got 7/],
    [
      "a band of one name",
      annotate([{ band: { x: ["A", "A"] }, label: "L" }]),
      /must have two names, got "A" and "A"/,
    ],
    ["a long label", rule({ y: 1 }, "é".repeat(81)), /label must have at most 80 characters, got 81/],
    [
      "a rule on both axes",
      rule({ x: "A", y: 1 }),
      "annotations[0].rule must have either x or y, got x and y.",
    ],
    ["a rule on none", rule({}), "annotations[0].rule must have either x or y, got neither."],
    ["a rule that is a number", rule(40), /^annotations\[0\]\.rule must be an object, got 40/],
    [
      "a point on one axis",
      annotate([{ point: { x: "A" }, label: "L" }]),
      "annotations[0].point must have both x and y, got x.",
    ],
    [
      "a text for a number",
      rule({ y: "40" }),
      /^annotations\[0\]\.rule\.y must be a finite number, got "40"; write it/,
    ],
    [
      "a date that is none",
      days({ rule: { x: "2026-02-30" } }),
      /^annotations\[0\]\.rule\.x must be a real date/,
    ],
    [
      "a name that the data lack",
      rule({ x: "C" }),
      'annotations[0].rule.x names "C", which is not in the data; they have "A", "B".',
    ],
    [
      "null for a name",
      rule({ x: null }),
      "annotations[0].rule.x must be a name that the data have, got null.",
    ],
    [
      "a band of one value",
      annotate([{ band: { y: 3 }, label: "L" }]),
      "annotations[0].band.y must be a list of two values, got 3; write [from, to].",
    ],
    [
      "a band that falls",
      annotate([{ band: { y: [4, 3.5] }, label: "L" }]),
      "annotations[0].band.y must rise from the first value to the second, got 4 and 3.5.",
    ],
    [
      "a value outside the domain",
      write({
        encoding: { x: X, y: { ...Y, scale: { domain: [0, 60] } } },
        annotations: [{ rule: { y: 61 }, label: "L" }],
      }),
      "annotations[0].rule.y must lie from 0 to 60, the domain of its scale, got 61.",
    ],
    [
      "nought on a log scale",
      write({
        mark: "line",
        encoding: { x: X, y: { ...Y, scale: { type: "log" } } },
        annotations: [{ rule: { y: 0 }, label: "L" }],
      }),
      "annotations[0].rule.y must be above 0 on a log scale, got 0.",
    ],
    [
      "a time of another zone",
      write({
        mark: "line",
        data: { values: [{ a: "2026-01-01T10Z", b: 1 }] },
        encoding: { x: DAY, y: Y },
        annotations: [{ rule: { x: "2026-01-01T10+02:00" }, label: "L" }],
      }),
      /has the zone UTC\+02:00, which the rows have not; write it by their clock, without a zone/,
    ],
    ["a band of nothing", annotate([{ band: { y: [3, 3] }, label: "L" }]), /got 3 and 3/],
    [
      "half a band",
      annotate([{ band: { y: [3, null] }, label: "L" }]),
      /^annotations\[0\]\.band\.y\[1\] must be a/,
    ],
  ])("are refused for %s", (_, source, message) => {
    expectRefused(source, message);
  });
});

test("a label that is no text is refused once", () => {
  expect(refuse(rule({ y: 1 }, null))).toEqual([
    "annotations[0].label must be a text, got null; write it in double quotes or leave it out.",
  ]);
});
