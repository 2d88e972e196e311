import { setTimeout as delay } from "node:timers/promises";
import { Comparison, Creation, TableDiff } from "./answers.ts";
import { sha256 } from "./checksum.ts";
import { type AgentClient, askFor, readJson } from "./client.ts";
import { type Publish, type Published, publishDraft } from "./publish-work.ts";
import { hold, type Step } from "./steps.ts";
import { appendRows, uploadFile } from "./upload.ts";

const COUNTED_WITHIN_MS = 30_000;
const FIRST_PAUSE_MS = 100;

/** The first revision's file has these rows, and the second adds those. */
interface Rows {
  rows: number;
  added: number;
}

/** Checks the comparison of both revisions: its page, its counts, and the rows that the counts lead to. */
async function checkComparison(url: string, { rows, added }: Rows): Promise<string> {
  await askFor(200, url);
  const file = await pollUntilCounted(`${url}.json`);
  hold(file.change === "changed", `it says that the file is ${file.change}`);
  hold(file.from?.row_count === rows, `its first file has ${file.from?.row_count} rows, not ${rows}`);
  hold(file.to?.row_count === rows + added, `its second has ${file.to?.row_count} rows`);
  hold(file.rows?.added === added, `it counts ${file.rows?.added} rows that came, not ${added}`);
  hold(file.diff_url !== null, "it does not lead to the rows");
  const { summary } = readJson(await askFor(200, file.diff_url), TableDiff).data;
  const counts = `${summary.added} added, ${summary.removed} removed, ${summary.changed} changed`;
  hold(counts === `${added} added, 0 removed, 0 changed`, `the rows themselves say: ${counts}`);
  return file.diff_url;
}

/** The dataset's file, once a worker has counted what changed in it. */
async function pollUntilCounted(url: string) {
  const deadline = performance.now() + COUNTED_WITHIN_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    const [file] = readJson(await askFor(200, url), Comparison).data.files;
    hold(file !== undefined, "it names no file");
    if (file.rows !== null) return file;
    hold(performance.now() < deadline, "nobody counted the rows that came");
    await delay(pauseMs);
  }
}

/** Where the rows come from. */
export const SOURCES = [
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

/** The days of the last month come a month later, as they did: they stand at the end of the file. */
const LATE = /^New York,2015-12-/m;

/** A dataset whose second revision has more rows than its first. */
export interface GrownDataset {
  dataset: Published;
  assetId: string;
  comparisonUrl: string;
}

/** Publishes the file without its last month, appends that month, publishes again, and compares both revisions. */
export async function publishGrowingDataset(
  client: AgentClient,
  csv: Buffer,
  publish: Publish,
  step: Step,
): Promise<GrownDataset> {
  const text = csv.toString("utf8");
  const early = Buffer.from(text.slice(0, text.search(LATE)));
  const late = Buffer.from(text.slice(text.search(LATE)));
  const header = Buffer.from(text.slice(0, text.indexOf("\n") + 1));
  const [rows, added] = [countRows(early) - 1, countRows(late)];
  const baseId = await uploadFile(client, early, rows, step);
  const first = await publish("dataset", describeDataset(baseId), [sha256(early)]);
  const part = Buffer.concat([header, late]);
  const assetId = await appendRows(client, { baseId, part, added, csv, rows: rows + added }, step);
  const dataset = await step("PATCH /creations/… and its publication put the longer file live", () =>
    updateDataset(client, first, assetId, sha256(csv)),
  );
  const comparisonUrl = `${dataset.publicUrl}/revisions/1..2`;
  await step(
    "the comparison of both revisions counts the rows that came, and leads to them",
    () => checkComparison(comparisonUrl, { rows, added }),
    (diffUrl) => `${added} rows added, see ${comparisonUrl} and ${diffUrl}`,
  );
  return { dataset, assetId, comparisonUrl };
}

const countRows = (csv: Buffer) => csv.toString("utf8").trimEnd().split("\n").length;

function describeDataset(assetId: string) {
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

async function updateDataset(
  client: AgentClient,
  { id, lock_version }: Published,
  assetId: string,
  hash: string,
): Promise<Published> {
  const { section, payload } = describeDataset(assetId);
  const body = { change_summary: "Added New York's December 2015.", section, payload };
  const saved = await client.write("PATCH", `/creations/${id}`, body, { status: 200, ifMatch: lock_version });
  return await publishDraft(client, readJson(saved, Creation).data, [hash]);
}
