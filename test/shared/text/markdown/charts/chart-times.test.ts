import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawChart } from "../../../../../shared/text/charts/draw-chart.ts";
import { nameZone, readChartTime } from "../../../../../shared/text/markdown/charts/chart-times.ts";
import { parseChart } from "../../../../../shared/text/markdown/charts/parse-chart.ts";
import { asJson, askData } from "../../../tables/questions/asking.ts";
import { writePart } from "../../../tables/questions/oracle/dates.ts";
import { prepareFile } from "../../../tables/rows/reading.ts";
import { accept, refuse, writeRows, Y } from "./chart-texts.ts";

const DAY_MS = 86_400_000;
const anyDay = fc
  .integer({ min: Date.UTC(1000, 0, 1) / DAY_MS, max: Date.UTC(9999, 11, 25) / DAY_MS })
  .map((days) => new Date(days * DAY_MS));

test.each([
  ["2026-03-31T14", "2026-03-31T14:00:00Z", "hour", null],
  ["2026-03-31 14:05", "2026-03-31T14:05:00Z", "minute", null],
  ["2026-03-31T14:05:09", "2026-03-31T14:05:09Z", "second", null],
  ["2026-03-31T14:05:09Z", "2026-03-31T14:05:09Z", "second", 0],
  ["2026-03-31T14Z", "2026-03-31T14:00:00Z", "hour", 0],
  ["2026-03-31 14:05+02:00", "2026-03-31T14:05:00Z", "minute", 120],
  ["2026-03-31T14:05:00-03:30", "2026-03-31T14:05:00Z", "second", -210],
  ["2026-03-31T14:05-00:00", "2026-03-31T14:05:00Z", "minute", 0],
  ["2026-W01", "2025-12-29T00:00:00Z", "week", null],
  ["2020-W53", "2020-12-28T00:00:00Z", "week", null],
  ["2026-Q4", "2026-10-01T00:00:00Z", "quarter", null],
])("%s lies at %s by the written clock", (text, iso, grain, zone) => {
  expect(readChartTime(text)).toEqual({ time: Date.parse(iso), grain, zone });
});

test.each([
  ...["2026-03-31T24", "2026-03-31T14:60", "2026-03-31T14:05:60", "2026-02-30T10", "2026-03-31T1"],
  ...["2026-03-31T14:05:00.5", "2026-03-31T14:05+0200", "2026-03-31T14:05+24:00", "2026-03-31t14:05z"],
  ...[
    "2026-W00",
    "2026-W54",
    "2025-W53",
    "2026-W1",
    "2026-Q0",
    "2026-Q5",
    "0000-W01",
    "0000-Q1",
    "14:30",
    "",
  ],
])("%j is no time of a chart", (text) => expect(readChartTime(text)).toBeNull());

test("a week is that of each of its days", () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const week = writePart(day.toISOString().slice(0, 10), "week") ?? "";
      const monday = readChartTime(week)?.time ?? Number.NaN;
      expect(new Date(monday).getUTCDay()).toBe(1);
      expect(Math.floor((day.getTime() - monday) / DAY_MS / 7)).toBe(0);
    }),
  );
});

test("the clock as written counts, whatever the zone", () => {
  expect([nameZone(0), nameZone(330), nameZone(-210)]).toEqual(["UTC", "UTC+05:30", "UTC−03:30"]);
  fc.assert(
    fc.property(anyDay, fc.nat(86_399), fc.constantFrom("", "Z", "+11:00", "-09:30"), (day, second, zone) => {
      const iso = new Date(day.getTime() + second * 1000).toISOString().slice(0, 19);
      expect(readChartTime(`${iso}${zone}`)?.time).toBe(Date.parse(`${iso}Z`));
      expect(readChartTime(`${iso.replace("T", " ")}${zone}`)?.time).toBe(Date.parse(`${iso}Z`));
    }),
  );
});

const TIMES = { mark: "line", encoding: { x: { field: "a", type: "temporal" }, y: Y } };
const write = (values: readonly unknown[]) =>
  writeRows(
    values.map((a, b) => ({ a, b })),
    TIMES,
  );

describe("a field has one zone or none", () => {
  test("Z is UTC, and the axis names it once", () => {
    const chart = accept(write(["2026-01-01T10:00Z", "2026-01-01T11:00+00:00"]));
    expect([chart.zone, chart.grain]).toEqual([0, "minute"]);
    expect(drawChart(chart, { idPrefix: "c" }).match(/\(UTC\)\u2069<\/text>/g)).toHaveLength(1);
  });

  test.each([
    [
      ["2026-01-01T10:00Z", "2026-01-01T10:00+02:00"],
      "data.values[1].a (row 2) has the zone UTC+02:00, and row 1 has the zone UTC; write all times of a field in one zone, or all without.",
    ],
    [
      ["2026-01-01T10:00", "2026-01-01T11:00", "2026-01-01T12:00Z"],
      "data.values[2].a (row 3) has the zone UTC, and row 1 has no zone; write all times of a field in one zone, or all without.",
    ],
    [
      ["2026-01-01T10:00Z", "2026-01-01"],
      /^data\.values\[1\]\.a \(row 2\) has no zone, and row 1 has the zone UTC;/,
    ],
  ])("%j is refused, naming both rows", (values, message) => {
    const messages = refuse(write(values));
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(message);
  });
});

test("what a question makes by hour, week and quarter draws, in the order of time", async () => {
  const file = await prepareFile("d,n\n2026-11-18 09:30,1\n2026-11-18 08:10,2\n2025-12-31 23:59,3\n", "csv");
  for (const by of ["hour", "week", "quarter"]) {
    const { columns, rows } = await askData(
      file,
      asJson({ group: [{ column: "d", by }], aggregate: [{ op: "sum", column: "n", as: "n" }] }),
    );
    const names: string[] = columns;
    const hash = "a".repeat(64);
    const block = {
      mark: "bar",
      data: { from: { asset_id: "01M7WVM8W0T8NYB19BE1ATAT9N", content_sha256: hash } },
      encoding: { x: { field: names[0], type: "temporal" }, y: { field: "n", type: "quantitative" } },
    };
    const parsed = parseChart(JSON.stringify(block), { format: "csv", columns: names, rows });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    expect(parsed.chart.grain).toBe(by);
    expect(parsed.chart.rows).toHaveLength(rows.length);
  }
});
