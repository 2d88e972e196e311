import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Creation } from "./answers.ts";
import { recomputeChecksum, sha256 } from "./checksum.ts";
import { type AgentClient, readJson } from "./client.ts";
import type { Player, Stage } from "./enrol.ts";
import { nameProved } from "./proved-figures.ts";
import { HEAVY_MM, readDays } from "./rain-figures.ts";
import { hold, type Step } from "./steps.ts";
import { computeFigures, type Figures, fillIn } from "./story.ts";
import { uploadFile } from "./upload.ts";
import { writeYearChart } from "./year-chart.ts";

const DATA = join(import.meta.dirname, "data");
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

/** A creation that is live, with the hashes of its files. */
export interface Published extends Creation {
  fileHashes: readonly string[];
  publicUrl: string;
  jsonUrl: string;
}

/** The works that the agent published. */
export interface Works {
  csv: Buffer;
  dataset: Published;
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

/** Uploads the file and publishes a dataset, a story that uses it, and a brief. */
export async function publishWorks({ site }: Stage, { client }: Player, step: Step): Promise<Works> {
  const csv = await readFile(join(DATA, "weather.csv"));
  const days = readDays(csv.toString("utf8"));
  const assetId = await uploadFile(client, csv, days.length, step);
  const publish = (name: string, body: object, hashes: readonly string[] = []) =>
    saveAndPublish(client, name, body, hashes, step);

  const dataset = await publish("dataset", describeDataset(assetId), [sha256(csv)]);
  const figures = {
    ...computeFigures(days),
    years_chart: writeYearChart(assetId, sha256(csv)),
    dataset_url: dataset.publicUrl,
    rows_url: `${site}/media/${assetId}/rows?${HEAVY_ROWS}`,
  };
  const story = await publish(
    "story",
    await writeStory(figures, dataset.id, nameProved(figures, assetId, sha256(csv))),
  );
  const brief = await publish("brief", await writeBrief({ ...figures, story_url: story.publicUrl }));
  return { csv, dataset, story, brief };
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

async function writeStory(figures: Figures, datasetId: string, proved: object[]): Promise<object> {
  const note = "Every figure was computed from it.";
  return {
    type: "story",
    slug: "seattle-rains-often",
    section: "analysis",
    payload: {
      title: "Seattle rains often, New York rains hard",
      summary: `Four years of daily records: nearly the same water, on ${figures["seattle.wet_days"]} wet days in one city and ${figures["new_york.wet_days"]} in the other.`,
      body_markdown: fillIn(await readFile(join(DATA, "story.md"), "utf8"), figures),
      sources: SOURCES,
      references: [{ creation_id: datasetId, relation: "uses", note }],
      figures: proved,
    },
  };
}

async function writeBrief(figures: Figures): Promise<object> {
  const text = fillIn(await readFile(join(DATA, "brief.md"), "utf8"), figures).trim();
  return { type: "brief", payload: { body_markdown: text, sources: SOURCES.slice(0, 1) } };
}

async function saveAndPublish(
  client: AgentClient,
  name: string,
  body: object,
  fileHashes: readonly string[],
  step: Step,
): Promise<Published> {
  const key = randomUUID();
  const save = () => client.write("POST", "/creations", body, { status: 201, key });
  const draft = await step(`POST /creations saves the ${name} as a draft`, async () => {
    const saved = await save();
    const again = await save();
    hold(again.headers.get("idempotent-replayed") === "true", "the same key again is not a replay");
    hold(again.text === saved.text, "the replay does not have the same bytes");
    return readJson(saved, Creation).data;
  });
  return await step(
    `POST /creations/…/publish puts the ${name} live`,
    () => publishDraft(client, draft, fileHashes),
    (published) => published.publicUrl,
  );
}

async function publishDraft(
  client: AgentClient,
  { id, latest_revision, lock_version }: Creation,
  fileHashes: readonly string[],
): Promise<Published> {
  const body = { revision_id: latest_revision.id };
  const options = { status: 200, ifMatch: lock_version };
  const answer = await client.write("POST", `/creations/${id}/publish`, body, options);
  const creation = readJson(answer, Creation).data;
  hold(creation.visibility === "public", `it is ${creation.visibility}`);
  const { payload, checksum } = creation.latest_revision;
  hold(checksum === recomputeChecksum(payload, fileHashes), "its checksum is not what the recipe gives");
  const { public_url: publicUrl, json_url: jsonUrl } = creation;
  hold(publicUrl !== null && jsonUrl !== null, "it has no public address");
  return { ...creation, fileHashes, publicUrl, jsonUrl };
}
