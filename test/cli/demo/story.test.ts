import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Papa from "papaparse";
import { beforeAll, expect, test } from "vitest";
import { sha256 } from "../../../shared/ground/checksum.ts";

const DATA = join(import.meta.dirname, "..", "..", "..", "examples");
const read = (path: string) => readFile(join(DATA, path), "utf8");

type Day = Record<"location" | "date" | "precipitation" | "weather", string>;

/** The days of the weather file, in file order. */
const readDays = (csv: string) => Papa.parse<Day>(csv, { header: true, skipEmptyLines: true }).data;

let days: Day[] = [];
let csv = "";
let [first, lastDay, story] = ["", "", ""];

/** The file as it was taken, with the day that comes late in its place. */
beforeAll(async () => {
  first = await read("rainwatch/daily-weather-seattle-new-york/weather.csv");
  lastDay = (await read("late-day.csv")).split("\n")[1] ?? "";
  csv = first.replace("\nNew York", `\n${lastDay}\nNew York`);
  days = readDays(csv);
  story = await read("rainwatch/seattle-rains-often.md");
});

/** One city's precipitation in tenths of a millimetre, day by day. */
function amountsOf(city: string): number[] {
  return days.filter((day) => day.location === city).map((day) => Math.round(Number(day.precipitation) * 10));
}

test("the file is the one whose origin stands beside it", async () => {
  expect(await read("README.md")).toContain(sha256(csv));
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

test("the day that comes late is dry, and the story says nothing of it but how many days there are", () => {
  expect(lastDay).toMatch(/^Seattle,2015-12-31,0\.0,/);
  expect(readDays(first).filter(({ location }) => location === "Seattle")).toHaveLength(1_460);
  const [days] = /.*\*\*1,460 days\*\*.*/.exec(story) ?? [];
  expect(days).toContain("for New York all 1,461, for Seattle **1,460 days**");
  expect(story.split(/1,46[01] days/)).toHaveLength(3);
});

// Counted once outside this project, with another program in another language.
test("the figures are those of the file", () => {
  const sentences = [
    "Seattle received **4,426.0 mm** of precipitation and New York **4,178.6 mm**. Seattle is ahead, by 5.9%.",
    "it led in 2012 and 2015, New York in 2013 and 2014",
    "Seattle was wet on 623 days, New York on 470.",
    "nearly the same water in 153 fewer days",
    "fell on its 57 wettest days. Seattle needed 91.",
    "brought 51.1% of New York's water and 34.4% of Seattle's, and the ten wettest days alone 16.9% against 10.1%",
    "The wettest day in the whole file is 30 April 2014, when New York received 118.9 mm.",
    "Seattle's wettest day, 15 March 2015, with 55.9 mm",
    "all four Julys together: 48.2 mm",
    "the next day was wet 67.3% of the time; after a dry day, 24.4%",
    "New York the same two figures are 43.5% and 26.7%",
    "longest wet spell lasted 19 days and ended on 27 December 2012; New York's lasted 10.",
    "48 days without measurable precipitation, ending on 8 September 2012. New York never went longer than 18.",
    "it received 73.7% of its water, in July and August 4.8%",
    "the same months brought 47.4% and 15.6%",
    "Its wettest month was June, its driest November.",
    "In July it was wet in Seattle on 11 of 124 days, in New York on 40.",
    "brought 828.0 mm and the wettest 1,232.8 mm",
    "carry 222.4 mm of Seattle's total and 542.4 mm of New York's",
    "all 53 days that are labelled `drizzle`",
    "so have 44 of those labelled `rain`",
    "must be 51.",
    "The smallest amount above zero in the file is 0.3 mm",
    "New York's spell runs to 31 December 2015.",
  ];
  for (const sentence of sentences) expect(story).toContain(sentence);
  const cells = story.split("\n").map((line) => line.split(/ *\| */).slice(1, -1));
  expect(cells).toEqual(
    expect.arrayContaining([
      ["Mean of a wet day, mm", "7.1", "8.9"],
      ["Median of a wet day, mm", "3.8", "3.8"],
      ["Days with 20 mm or more", "51", "59"],
      ["Days with 50 mm or more", "3", "8"],
      ["July", "12.1", "11", "69.6", "40"],
    ]),
  );
});

test("what the story claims in words holds in the file", () => {
  const drizzle = days.filter((day) => day.location === "Seattle" && day.weather === "drizzle");
  expect(drizzle.every((day) => Number(day.precipitation) === 0)).toBe(true);
  expect(Math.max(...amountsOf("New York"))).toBeGreaterThan(2 * Math.max(...amountsOf("Seattle")));
  expect(days.every((day) => Object.values(day).every((cell) => cell !== ""))).toBe(true);
  const gapOfCities = Math.abs(4426 - 4178.6);
  expect(1232.8 - 828).toBeGreaterThan(gapOfCities);
});

test("the story has what the play promises", () => {
  expect(story.split(/\s+/).length).toBeGreaterThan(600);
  expect(story.match(/^## /gm)?.length).toBeGreaterThanOrEqual(5);
  expect(story.match(/^\[\^\w+\]: /gm)).toHaveLength(2);
});
