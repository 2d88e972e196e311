import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "./checksum.ts";
import type { Player, Stage } from "./enrol.ts";
import { publishGrowingDataset, SOURCES } from "./growing-dataset.ts";
import { type Publish, type Published, saveAndPublish } from "./publish-work.ts";
import { HEAVY_MM, nameProved } from "./rain-figures.ts";
import type { Step } from "./steps.ts";

const DATA = join(import.meta.dirname, "data");
/** The works that the agent published. */
export interface Works {
  csv: Buffer;
  dataset: Published;
  /** The comparison of the dataset's two revisions. */
  comparisonUrl: string;
  story: Published;
  brief: Published;
}

/** The rows that the story tells its readers to ask for. */
export const HEAVY_ROWS = new URLSearchParams([
  ["filter[0][column]", "location"],
  ["filter[0][op]", "eq"],
  ["filter[0][value]", "Seattle"],
  ["filter[1][column]", "precipitation"],
  ["filter[1][op]", "gte"],
  ["filter[1][value]", String(HEAVY_MM)],
]);

/** Publishes a dataset that grows, a story that uses it, and a brief. */
export async function publishWorks({ site }: Stage, { client }: Player, step: Step): Promise<Works> {
  const csv = await readFile(join(DATA, "weather.csv"));
  const publish: Publish = (name, body, hashes = []) => saveAndPublish(client, name, body, hashes, step);
  const { dataset, assetId, comparisonUrl } = await publishGrowingDataset(client, csv, publish, step);
  const links = {
    years_chart: writeYearChart(assetId, sha256(csv)),
    dataset_url: dataset.publicUrl,
    rows_url: `${site}/media/${assetId}/rows?${HEAVY_ROWS}`,
  };
  const proved = nameProved(assetId, sha256(csv));
  const story = await publish("story", await writeStory(links, dataset.id, proved));
  const brief = await publish("brief", await writeBrief(story.publicUrl));
  return { csv, dataset, comparisonUrl, story, brief };
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
