import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseChart } from "../../../../../shared/text/markdown/charts/parse-chart.ts";
import { readKeptRows } from "../../../../../shared/text/markdown/charts/read-source.ts";
import { runs } from "../../../../support/depth.ts";
import { GROWTH_BOUND_MS, leastCpuMs } from "../../../../support/growth.ts";
import { accept, ROWS, refuse, write, writeRows, X, Y } from "./chart-texts.ts";

describe("a chart that can be drawn", () => {
  test("is read with rows, categories and titles", () => {
    const chart = accept(write({ title: " Two bars ", encoding: { x: { ...X, title: "Letter" }, y: Y } }));
    expect(chart).toMatchObject({
      mark: "bar",
      title: "Two bars",
      description: null,
      color: null,
      categories: ["A", "B"],
    });
    expect(chart.x.title).toBe("Letter");
    expect(chart.y.title).toBe("b");
    expect(chart.rows).toMatchObject([
      { x: "A", at: 0, y: 28, group: 0 },
      { x: "B", at: 1, y: 55, group: 0 },
    ]);
  });

  test("has names on y and values on x where bars lie, read as those of bars that stand", () => {
    const lying = accept(write({ encoding: { x: Y, y: X } }));
    const { horizontal, x, y, ...rest } = lying;
    expect([horizontal, x.channel, x.field, y.channel, y.field]).toEqual([true, "y", "a", "x", "b"]);
    expect(accept(write())).toMatchObject(rest);
  });

  test("may carry $schema, width and height, which say nothing", () => {
    expect(accept(write({ $schema: "https://vega.github.io/x", width: "container", height: -1 })).mark).toBe(
      "bar",
    );
  });

  test("may name its fields __proto__ and constructor", () => {
    const source =
      '{"mark":"bar","data":{"values":[{"__proto__":"A","constructor":1}]},"encoding":{"x":{"field":"__proto__","type":"nominal"},"y":{"field":"constructor","type":"quantitative"}}}';
    expect(accept(source).rows).toMatchObject([{ x: "A", at: 0, y: 1, group: 0 }]);
    expect(refuse(write({ encoding: { x: X, y: { ...Y, field: "toString" } } }))).toHaveLength(1);
  });

  test("takes the last of a repeated name", () => {
    expect(accept(write().replace('"mark":"bar"', '"mark":"pie","mark":"line"')).mark).toBe("line");
  });

  test("keeps the digits of labels that no double holds, of its own rows and of kept ones", () => {
    const rows = (x: string, y: string) =>
      `[{"a":1729384756102938475,"b":${x}},{"a":1729384756102938476,"b":${y}}]`;
    const source = write().replace(/"values":\[.*?\]/, `"values":${rows("1.5", "12345678901234567890")}`);
    const ids = ["1729384756102938475", "1729384756102938476"];
    const chart = accept(source);
    expect([chart.categories, chart.rows.map(({ y }) => y)]).toEqual([
      ids,
      [1.5, Number("12345678901234567890")],
    ]);
    expect(refuse(source.replaceAll("38476", "38475"))[0]).toContain(`repeats "${ids[0]}" of row 1`);
    const bound = source.replace(
      /"values":\[.*?\]/,
      `"from":{"asset_id":"01M7WVM8W0T8NYB19BE1ATAT9N","content_sha256":"${"a".repeat(64)}"}`,
    );
    const kept = readKeptRows(`{"format":"json","columns":["a","b"],"rows":[[${ids[0]},1],[${ids[1]},2]]}`);
    expect(parseChart(bound, kept)).toMatchObject({ ok: true, chart: { categories: ids } });
  });

  test("takes dates in three forms, mixed, and years as numbers", () => {
    const values = ["2024-02-29", "2025-03", "2026", 2027, "0099-12-31"].map((a, b) => ({ a, b }));
    const chart = accept(writeRows(values, { encoding: { x: { field: "a", type: "temporal" }, y: Y } }));
    expect(chart.grain).toBe("day");
    expect(chart.rows.map(({ at }) => new Date(at).toISOString().slice(0, 10))).toEqual([
      "2024-02-29",
      "2025-03-01",
      "2026-01-01",
      "2027-01-01",
      "0099-12-31",
    ]);
    expect(chart.rows[3]?.x).toBe("2027");
  });

  test("keeps a missing value as a gap", () => {
    const chart = accept(writeRows([{ a: "A", b: null }, { a: "B" }, { a: "C", b: -0 }], { mark: "line" }));
    expect(chart.rows.map(({ y }) => y)).toEqual([null, null, 0]);
  });

  test("keeps bidirectional and zero-width characters of labels", () => {
    expect(accept(writeRows([{ a: "a\u202e\u200bb", b: 1 }])).categories).toEqual(["a\u202e\u200bb"]);
  });

  test("takes labels that are numbers or booleans as their text", () => {
    expect(accept(writeRows([8, true, "8.5"].map((a, b) => ({ a, b })))).categories).toEqual([
      "8",
      "true",
      "8.5",
    ]);
  });

  test.each(["line", "point"])("repeats x within a group where it is a %s", (mark) => {
    expect(accept(writeRows([...ROWS, ...ROWS], { mark })).rows).toHaveLength(4);
  });
});

describe("any text", () => {
  test("is accepted or refused with whole sentences, never thrown at", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc.json().map((json) => `{"mark":"bar","data":{"values":[${json}]}}`),
    );
    fc.assert(
      fc.property(text, (source) => {
        const parsed = parseChart(source);
        if (parsed.ok) return;
        expect(parsed.problems.length).toBeGreaterThan(0);
        for (const { message } of parsed.problems) expect(message).toMatch(/^\S.*\.$/);
      }),
      { numRuns: runs(2000) },
    );
  });

  test("is JSON for us exactly where it is JSON for JSON.parse", () => {
    const nearlyJson = fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([json, at, extra]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + extra + json.slice(place + (at % 2));
    });
    fc.assert(
      fc.property(nearlyJson, (source) => {
        const ours = !refuse(source).some((message) => /^It is not JSON|surrogate/.test(message));
        if (/\\u0000|\\u[dD][89a-fA-F]/.test(source) || !source.isWellFormed()) return;
        expect(ours).toBe(isJson(source));
      }),
      { numRuns: runs(3000) },
    );
  });

  test.each([
    ["brackets", "[".repeat(100_000)],
    ["nested objects", '{"a":'.repeat(20_000)],
    ["escapes", `"${"\\u0041".repeat(16_000)}`],
    ["members", `{${'"a":1,'.repeat(14_000)}"b":1}`],
    ["distinct members", `{${Array.from({ length: 9000 }, (_, index) => `"m${index}":1`).join()}}`],
    ["empty rows", `{"mark":"bar","data":{"values":[${"{},".repeat(33_000)}{}]}}`],
    ["broken rows", writeRows(Array.from({ length: 500 }, () => ({ a: [], b: "x".repeat(100) })))],
  ])("of 100,000 characters is judged in bounded time with a bounded answer: %s", (_, source) => {
    const messages = refuse(source);
    expect(leastCpuMs(() => void refuse(source))).toBeLessThan(GROWTH_BOUND_MS);
    expect(messages.join("\n").length).toBeLessThan(10_000);
  });
});

function isJson(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}
