import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { recomputeChecksum, sha256 } from "../../../cli/demo/checksum.ts";
import { type Day, readDays } from "../../../cli/demo/rain-figures.ts";
import { computeFigures, type Figures, fillIn } from "../../../cli/demo/story.ts";
import { checksumOfRevision } from "../../../shared/ground/checksum.ts";

const DATA = join(import.meta.dirname, "..", "..", "..", "cli", "demo", "data");

let days: Day[] = [];
let figures: Figures = {};

beforeAll(async () => {
  days = readDays(await readFile(join(DATA, "weather.csv"), "utf8"));
  figures = computeFigures(days);
});

/** One city's precipitation in tenths of a millimetre, day by day. */
function amountsOf(city: string): number[] {
  return days.filter((day) => day.location === city).map((day) => Math.round(Number(day.precipitation) * 10));
}

test("the file is the one whose origin stands beside it", async () => {
  const csv = await readFile(join(DATA, "weather.csv"));
  expect(await readFile(join(DATA, "README.md"), "utf8")).toContain(sha256(csv));
  expect(csv.length).toBeGreaterThan(100_000);
  expect(days).toHaveLength(2922);
});

test("every day of four years stands in the file once for each city, in order", () => {
  for (const city of ["Seattle", "New York"]) {
    const dates = days.filter((day) => day.location === city).map((day) => Date.parse(day.date));
    expect(dates[0]).toBe(Date.parse("2012-01-01"));
    expect(dates).toEqual(dates.map((_, index) => (dates[0] ?? 0) + index * 86_400_000));
    expect(dates).toHaveLength(1461);
  }
});

// Counted once outside this project, with another program in another language.
test("the figures are those of the file", () => {
  expect(figures).toMatchObject({
    days: "1,461",
    lead_percent: "5.9%",
    wet_days_less: "153",
    july_days: "124",
    smallest: "0.3",
    "seattle.total": "4,426.0",
    "seattle.wet_days": "623",
    "seattle.wet_mean": "7.1",
    "seattle.wet_median": "3.8",
    "seattle.heavy_days": "51",
    "seattle.heavy_share": "34.4%",
    "seattle.torrents": "3",
    "seattle.half_days": "91",
    "seattle.ten_share": "10.1%",
    "seattle.wettest": "55.9",
    "seattle.wettest_date": "15 March 2015",
    "seattle.wet_spell": "19",
    "seattle.wet_spell_end": "27 December 2012",
    "seattle.dry_spell": "48",
    "seattle.dry_spell_end": "8 September 2012",
    "seattle.after_wet": "67.3%",
    "seattle.after_dry": "24.4%",
    "seattle.winter_share": "73.7%",
    "seattle.summer_share": "4.8%",
    "seattle.julys": "48.2",
    "seattle.july_wet": "11",
    "seattle.snow_total": "222.4",
    "seattle.drizzle_days": "53",
    "seattle.rain_dry_days": "44",
    "seattle.years_led": "2012 and 2015",
    "seattle.driest_year": "828.0",
    "seattle.wettest_year": "1,232.8",
    "new_york.total": "4,178.6",
    "new_york.wet_days": "470",
    "new_york.wet_mean": "8.9",
    "new_york.wet_median": "3.8",
    "new_york.heavy_days": "59",
    "new_york.heavy_share": "51.1%",
    "new_york.torrents": "8",
    "new_york.half_days": "57",
    "new_york.ten_share": "16.9%",
    "new_york.wettest": "118.9",
    "new_york.wettest_date": "30 April 2014",
    "new_york.wet_spell": "10",
    "new_york.wet_spell_end": "31 December 2015",
    "new_york.dry_spell": "18",
    "new_york.after_wet": "43.5%",
    "new_york.after_dry": "26.7%",
    "new_york.winter_share": "47.4%",
    "new_york.summer_share": "15.6%",
    "new_york.july_wet": "40",
    "new_york.snow_total": "542.4",
    "new_york.wettest_month": "June",
    "new_york.driest_month": "November",
    "new_york.years_led": "2013 and 2014",
  });
  expect(figures.months).toContain("| July | 12.1 | 8.9% | 69.6 | 32.3% |");
});

test("what the story claims in words holds in the file", () => {
  const drizzle = days.filter((day) => day.location === "Seattle" && day.weather === "drizzle");
  expect(drizzle.every((day) => Number(day.precipitation) === 0)).toBe(true);
  expect(Math.max(...amountsOf("New York"))).toBeGreaterThan(2 * Math.max(...amountsOf("Seattle")));
  expect(days.every((day) => Object.values(day).every((cell) => cell !== ""))).toBe(true);
  const gapOfCities = Math.abs(4426 - 4178.6);
  expect(1232.8 - 828).toBeGreaterThan(gapOfCities);
});

test("the story has what the play promises, and no name in braces is left", async () => {
  const links = {
    dataset_url: "https://example.org/d",
    rows_url: "https://example.org/r",
    years_chart: "{}",
  };
  const text = fillIn(await readFile(join(DATA, "story.md"), "utf8"), { ...figures, ...links });
  // Charts and flowcharts have braces of their own.
  expect(text.replace(/^```(?:chart|mermaid)\n[^`]*```$/gm, "")).not.toMatch(/[{}]/);
  expect(text.split(/\s+/).length).toBeGreaterThan(600);
  expect(text.match(/^## /gm)?.length).toBeGreaterThanOrEqual(5);
  expect(text.match(/^\[\^\w+\]: /gm)).toHaveLength(2);
});

test("a brief with its figures fits its bound", async () => {
  const link = { story_url: "http://localhost:65535/@rainwatch-9999/seattle-rains-often-99" };
  const text = fillIn(await readFile(join(DATA, "brief.md"), "utf8"), { ...figures, ...link });
  expect(text.trim().length).toBeLessThanOrEqual(500);
});

test("a figure that nobody computed stops the play", () => {
  expect(() => fillIn("It rained {mm}.", {})).toThrow("the story asks for mm, which nobody computed");
});

test("the checksum made from the recipe is the service's own", () => {
  const payload = { b: 'é\u2028"', a: [1, { z: null, "\u{1F600}": true, é: 0.5 }], "10": "x", "9": "y" };
  expect(recomputeChecksum(payload, ["ab"])).toBe(checksumOfRevision(payload, ["ab"]));
});
