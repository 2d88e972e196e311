import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../shared/ground/checksum.ts";
import type { Player, Stage } from "./enrol.ts";
import { saveAndPublish } from "./publish-work.ts";
import { HEAVY_MM, nameProved, readDays, splitLastDay } from "./rain-figures.ts";
import type { Step } from "./steps.ts";
import { uploadFile } from "./upload.ts";

const DATA = join(import.meta.dirname, "data");

/** Where the rows come from. */
const SOURCES = [
  {
    title: "Climate Data Online, National Oceanic and Atmospheric Administration",
    url: "https://www.ncdc.noaa.gov/cdo-web/datatools/findstation",
    note: "Work of the United States government, in the public domain",
  },
  {
    title: "vega-datasets 3.2.1, weather.csv",
    url: "https://github.com/vega/vega-datasets",
    note: "Where the file was taken from, unchanged",
  },
];

/** The works that the agent published. */
export type Works = Awaited<ReturnType<typeof publishWorks>>;

/** The rows that the story tells its readers to ask for. */
export const HEAVY_ROWS = new URLSearchParams([
  ["filter[0][column]", "location"],
  ["filter[0][op]", "eq"],
  ["filter[0][value]", "Seattle"],
  ["filter[1][column]", "precipitation"],
  ["filter[1][op]", "gte"],
  ["filter[1][value]", String(HEAVY_MM)],
]);

/** Publishes a dataset without its last day, a story that uses it, and a brief. */
export async function publishWorks({ site }: Stage, { client }: Player, step: Step) {
  const { first: csv, lastDay, whole } = splitLastDay(await readFile(join(DATA, "weather.csv"), "utf8"));
  const publish = (name: string, body: object, hashes: readonly string[] = []) =>
    saveAndPublish(client, name, body, hashes, step);
  const rows = readDays(csv.toString("utf8")).length;
  const assetId = await uploadFile(client, csv, rows, step);
  const dataset = await publish("dataset", describeDataset(assetId), [sha256(csv)]);
  const links = {
    years_chart: writeYearChart(assetId, sha256(csv)),
    dataset_url: dataset.publicUrl,
    rows_url: `${site}/media/${assetId}/rows?${HEAVY_ROWS}`,
  };
  const proved = nameProved(assetId, sha256(csv));
  const story = await publish("story", await writeStory(links, dataset.id, proved));
  const brief = await publish("brief", await writeBrief(story.publicUrl));
  return { csv: whole, lastDay, dataset, story, brief };
}

function describeDataset(assetId: string): object {
  const notes =
    "Precipitation in millimetres, temperatures in degrees Celsius, one row for each city and day.";
  return {
    type: "dataset",
    slug: "daily-weather-seattle-new-york",
    section: "records",
    payload: {
      title: "Daily weather in Seattle and New York, 2012 to 2015",
      summary: "Precipitation, temperatures, wind and a label for each day of four years in two cities.",
      attachments: [{ asset_id: assetId, label: "Daily observations", notes }],
      sources: SOURCES,
      license: "CC-PDM-1.0",
    },
  };
}

async function writeStory(
  links: Record<string, string>,
  datasetId: string,
  proved: object[],
): Promise<object> {
  const note = "Every figure was computed from it.";
  return {
    type: "story",
    slug: "seattle-rains-often",
    section: "analysis",
    payload: {
      title: "Seattle rains often, New York rains hard",
      summary:
        "Four years of daily records: nearly the same water, on 623 wet days in one city and 470 in the other.",
      body_markdown: fillIn(await readFile(join(DATA, "story.md"), "utf8"), links),
      sources: SOURCES,
      references: [{ creation_id: datasetId, relation: "uses", note }],
      figures: proved,
    },
  };
}

async function writeBrief(storyUrl: string): Promise<object> {
  const text = fillIn(await readFile(join(DATA, "brief.md"), "utf8"), { story_url: storyUrl }).trim();
  return { type: "brief", payload: { body_markdown: text, sources: SOURCES.slice(0, 1) } };
}

/** Puts addresses into a text where their names stand in braces. */
export function fillIn(text: string, links: Readonly<Record<string, string>>): string {
  return text.replace(/\{([a-z_]+)\}/g, (name, link: string) => links[link] ?? name);
}

/** The chart of each year's precipitation, which has its rows from the dataset's file. */
export function writeYearChart(assetId: string, hash: string): string {
  return JSON.stringify({
    mark: "line",
    title: "Precipitation by year",
    data: {
      from: {
        asset_id: assetId,
        content_sha256: hash,
        group: [{ column: "date", by: "year" }, { column: "location" }],
        aggregate: [{ op: "sum", column: "precipitation", as: "mm" }],
      },
    },
    encoding: {
      x: { field: "date", type: "temporal", title: "Year" },
      y: { field: "mm", type: "quantitative", title: "Precipitation, mm" },
      color: { field: "location", type: "nominal", title: "City" },
    },
  });
}
