import { describe, expect, test } from "vitest";
import { parseChart } from "../../../../../shared/text/markdown/charts/parse-chart.ts";
import { accept, COLOR, expectRefused, ROWS, refuse, write, writeRows, X, Y } from "./chart-texts.ts";

const HORIZONTAL = { encoding: { x: Y, y: X } };

describe("a chart that cannot be drawn is refused", () => {
  const color = (groups: number, mark: string) =>
    writeRows(
      Array.from({ length: groups }, (_, index) => ({ a: index, b: 1, c: `g${index}` })),
      { mark, encoding: { x: { ...X, type: "ordinal" }, y: Y, color: COLOR } },
    );
  const dates = (value: unknown) =>
    writeRows([{ a: value, b: 1 }], {
      mark: "line",
      encoding: { x: { field: "a", type: "temporal" }, y: Y },
    });

  test.each<[string, string, string | RegExp]>([
    [
      "a y that is no quantity",
      write({ encoding: { x: X, y: { ...Y, type: "nominal" } } }),
      "encoding.y.type must be quantitative, got nominal.",
    ],
    [
      "no object, with the members that one needs",
      "[]",
      'The chart must be an object, got a list; write {"mark": …, "data": …, "encoding": …}.',
    ],
    ["no encoding", write({ encoding: undefined }), 'encoding is missing; write {"x": …, "y": …}.'],
    ["no y", write({ encoding: { x: X } }), 'encoding.y is missing; write {"field": …, "type": …}.'],
    ["an unknown mark", write({ mark: "pie" }), 'mark must be bar, line, area or point, got "pie".'],
    [
      "a mark as an object",
      write({ mark: { type: "line", point: true } }),
      'mark must be a text, got an object; write "mark": "line".',
    ],
    [
      "an address",
      write({ data: { url: "https://a.example/x.csv", values: ROWS } }),
      /^data\.url is not accepted \(put the rows/,
    ],
    [
      "an unknown member",
      write({ params: [] }),
      "params is not accepted; allowed here: mark, title, description, data, encoding, annotations.",
    ],
    [
      "an unknown encoding",
      write({ encoding: { x: X, y: Y, tooltip: X } }),
      /^encoding\.tooltip is not accepted; allowed here: x, y, y2, line, color, facet/,
    ],
    ["a member without a name", write({ "": 1 }), /^\[""\] is not accepted/],
    ["a member with a strange name", write({ "a b\n": 1 }), /^\["a b\\n"\] is not accepted/],
    [
      "an aggregate",
      write({ encoding: { x: X, y: { ...Y, aggregate: "sum" } } }),
      /^encoding\.y\.aggregate is not accepted \(compute/,
    ],
    [
      "a quantitative x under bars",
      write({ encoding: { x: { ...X, field: "b", type: "quantitative" }, y: Y } }),
      /^encoding\.x\.type must be nominal, ordinal or temporal, got quantitative/,
    ],
    [
      "a temporal y under bars that lie",
      writeRows([{ a: "2026", b: 1 }], { encoding: { x: Y, y: { field: "a", type: "temporal" } } }),
      /^encoding\.y\.type must be nominal or ordinal, got temporal; bars of dates stand/,
    ],
    [
      "two quantities under bars",
      write({ encoding: { x: { ...X, field: "b", type: "quantitative" }, y: Y } }),
      /for horizontal bars make y so\.$/,
    ],
    [
      "a row without a name for bars that lie",
      writeRows([...ROWS, { b: 1 }], HORIZONTAL),
      "data.values[2].a (row 3) is missing; every row needs a label for y.",
    ],
    [
      "a repeated name of bars that lie",
      writeRows([...ROWS, { a: "A", b: 1 }], HORIZONTAL),
      /^data\.values\[2\]\.a \(row 3\) repeats "A" of row 1; bars take one row each/,
    ],
    [
      "bars that lie without any value",
      writeRows([{ a: "A", b: null }], HORIZONTAL),
      'encoding.x.field names "b", which has no value in any row.',
    ],
    [
      "61 names of bars that lie",
      writeRows(
        Array.from({ length: 61 }, (_, a) => ({ a, b: 1 })),
        HORIZONTAL,
      ),
      "encoding.y gives 61 names; horizontal bars may have 60. Put the smallest together as one, or leave some out.",
    ],
    [
      "a title that is too long",
      write({ title: "😀".repeat(121) }),
      "title must have at most 120 characters, got 121; shorten it.",
    ],
    [
      "a description that is too long",
      write({ description: "x".repeat(501) }),
      "description must have at most 500 characters, got 501; shorten it.",
    ],
    ["a title that is no text", write({ title: { text: "T" } }), /^title must be a text, got an object/],
    ["no rows", writeRows([]), "data.values must hold 1 to 500 rows, got none."],
    [
      "501 rows",
      writeRows(Array.from({ length: 501 }, (_, a) => ({ a, b: 1 }))),
      /^data\.values must hold 1 to 500 rows, got 501/,
    ],
    [
      "a row that is a list",
      writeRows([...ROWS, [1, 2]]),
      "data.values[2] (row 3) must be an object, got a list.",
    ],
    [
      "a field that no row has",
      write({ encoding: { x: X, y: { ...Y, field: "z" } } }),
      'encoding.y.field names "z", which no row has; the first row has a, b.',
    ],
    [
      "a row without x",
      writeRows([...ROWS, { b: 1 }]),
      "data.values[2].a (row 3) is missing; every row needs a label for x.",
    ],
    [
      "a digit string",
      writeRows([{ a: "A", b: "12" }]),
      'data.values[0].b (row 1) must be a finite number, got "12"; write it as a plain number without quotes.',
    ],
    [
      "a number beyond doubles",
      writeRows([{ a: "A", b: 1 }]).replace('"b":1}', '"b":1e999}'),
      "data.values[0].b (row 1) must be a finite number, got a number beyond 1.8e308.",
    ],
    [
      "no value at all",
      writeRows([{ a: "A", b: null }]),
      'encoding.y.field names "b", which has no value in any row.',
    ],
    [
      "a repeated x under bars",
      writeRows([...ROWS, { a: "A", b: 1 }]),
      /^data\.values\[2\]\.a \(row 3\) repeats "A" of row 1; bars take one row each/,
    ],
    ["nine groups", color(9, "bar"), /^encoding\.color gives 9 groups; a bar chart may have 8/],
    ["four groups of points", color(4, "point"), /^encoding\.color gives 4 groups; a point chart may have 3/],
    [
      "a temporal colour",
      write({ encoding: { x: X, y: Y, color: { field: "a", type: "temporal" } } }),
      "encoding.color.type must be nominal or ordinal, got temporal.",
    ],
    ["30 February", dates("2026-02-30"), /^data\.values\[0\]\.a \(row 1\) must be a real date/],
    ["29 February of a common year", dates("2025-02-29"), /must be a real date/],
    ["a month 13", dates("2026-13"), /must be a real date/],
    ["a fraction of a second", dates("2026-01-01T00:00:00.5Z"), /; leave fractions of a second out\.$/],
    ["a week that its year has not", dates("2025-W53"), /must be a real date or time/],
    ["a time of day", dates("14:30"), /write "type": "ordinal"/],
    ["slashes", dates("2026/01/31"), /got "2026\/01\/31"/],
    ["year 0", dates("0000"), /must be a real date/],
    ["a year with a fraction", dates(2026.5), /must be a real date/],
    ["a control character in a label", writeRows([{ a: "A\u0001", b: 1 }]), /holds a control character/],
    [
      "NUL anywhere",
      write({ description: "\u0000" }),
      /column \d+ of the block: a text holds an escaped NUL/,
    ],
    ["half a surrogate pair", write().replace('"A"', '"\\ud83d"'), /half of an escaped surrogate pair/],
    ["an empty block", "", /the block is empty/],
    ["a list", "[]", /^The chart must be an object, got a list/],
    [
      "words",
      "mark: bar",
      "It is not JSON at line 1, column 1 of the block: a value must stand here: an object, a list, a number, true, false, null or a text in double quotes.",
    ],
    [
      "a trailing comma",
      '{\n "mark": "bar",\n}',
      /at line 3, column 1 of the block: a name in double quotes must stand here; remove a comma/,
    ],
    ["single quotes", "{'mark': 1}", /JSON texts stand in double quotes/],
    ["a comment", '{"mark": // x', /JSON has no comments/],
    ["NaN", '{"mark": NaN}', /JSON has no NaN; write null/],
    ["text after the object", "{} x", /text follows the JSON object/],
    ["an open end", '{"mark": "ba', /the block ends before its JSON does/],
    ["nesting over 64 levels", `{"x":${"[".repeat(64)}${"]".repeat(64)}}`, /deeper than 64 levels/],
  ])("for %s", (_, source, message) => {
    expectRefused(source, message);
  });

  test("for a negative value in a stacked area, though not in a single one or under bars", () => {
    const rows = [{ a: 1, b: -3, c: "x" }];
    const encoding = { x: { ...X, type: "ordinal" }, y: Y, color: COLOR };
    expect(refuse(writeRows(rows, { mark: "area", encoding }))[0]).toMatch(
      /must not be negative in stacked areas, got -3/,
    );
    expect(accept(writeRows(rows, { mark: "area" })).rows).toHaveLength(1);
    expect(accept(writeRows(rows, { mark: "bar", encoding })).rows).toHaveLength(1);
  });

  test("with all its problems together, each naming its member", () => {
    const parsed = parseChart(
      write({
        mark: "pie",
        title: 1,
        transform: [],
        encoding: { x: X, y: { ...Y, type: "nominal" }, size: {} },
        data: {
          values: [
            { a: "A", b: "1" },
            { a: null, b: 2 },
          ],
        },
      }),
    );
    if (parsed.ok) throw new Error("accepted");
    expect(parsed.problems.map(({ path }) => path)).toEqual([
      "transform",
      "mark",
      "title",
      "encoding.size",
      "encoding.y.type",
      "data.values[0].b",
      "data.values[1].a",
    ]);
    for (const { message } of parsed.problems) expect(message).toMatch(/\.$/);
    expect(parsed.problems.every(({ path, message }) => message.startsWith(path))).toBe(true);
  });

  test("with at most ten rows of a kind named, the rest counted", () => {
    const messages = refuse(writeRows(Array.from({ length: 500 }, (_, a) => ({ a, b: "x" }))));
    expect(messages).toHaveLength(11);
    expect(messages[10]).toMatch(/^data\.values: 490 more rows have the same problem/);
  });
});
