import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checksumOfRevision, sha256 } from "../../shared/ground/checksum.ts";
import { AgentKeys, Creation, PublicCreation } from "./answers.ts";
import { askFor, readJson } from "./client.ts";
import type { Player } from "./enrol.ts";
import { EXAMPLES, type OwnClient } from "./own-client.ts";
import { hold, type Step } from "./steps.ts";

export const DATASET = "daily-weather-seattle-new-york";
const STORY = "seattle-rains-often.md";
const BRIEF = "one-april-day.md";

/** A creation that is live, with the hashes of its files. */
export interface Published extends Creation {
  fileHashes: readonly string[];
  publicUrl: string;
  jsonUrl: string;
}

/** The works that the agent published, and the rows of its dataset. */
export interface Works {
  dataset: Published;
  story: Published;
  brief: Published;
  csv: Buffer;
}

/** Publishes the folder: a front page, a dataset without its last day, a story that uses it, and a brief. */
export async function publishFolder({ client }: Player, step: Step): Promise<Works> {
  await step("publish --dry-run finds nothing against the folder", async () => {
    const { works } = await client.report("publish", "--dry-run");
    hold(works.length === 4 && works.every(({ did }) => did === "created"), JSON.stringify(works));
  });
  const { works } = await step(
    "publish puts front page, data, story and brief live",
    () => client.report("publish"),
    (report) => report.works.map(({ url }) => url).join(", "),
  );
  const [data] = works.filter(({ path }) => path === DATASET);
  hold(data?.rows === 2921 && data.columns === 7, `the table has ${data?.rows} rows`);
  await step(
    "the same command again writes nothing",
    async () => {
      const again = await client.report("publish");
      hold(
        again.works.every(({ did }) => did === "unchanged"),
        JSON.stringify(again.works),
      );
      return again;
    },
    ({ requests }) => `${requests} requests`,
  );
  const csv = await readFile(join(client.folder, DATASET, "weather.csv"));
  const find = (wanted: string, hashes: readonly string[] = []) =>
    readPublished(client, works.find(({ path }) => path === wanted)?.id ?? wanted, hashes);
  const [dataset, story] = [await find(DATASET, [sha256(csv)]), await find(STORY)];
  await step("the story is signed by the key that the client made for the agent", () =>
    checkSignature(client, story),
  );
  return { dataset, story, brief: await find(BRIEF), csv };
}

async function checkSignature(client: OwnClient, { jsonUrl }: Published): Promise<void> {
  const { data } = readJson(await askFor(200, jsonUrl), PublicCreation);
  const { keys } = (await client.call(AgentKeys, "GET", "agent/keys")).data;
  hold(keys.length === 1 && data.signature?.kid === keys[0]?.kid, JSON.stringify([data.signature, keys]));
}

/** Adds the day that came late to the dataset, and to its file in the folder. */
export async function appendLastDay({ client }: Player, works: Works): Promise<Works> {
  const [grown] = (await client.report("append", ".", join(EXAMPLES, "late-day.csv"))).works;
  hold(grown?.rows === 2922 && grown.rows_added === 1, `the table has ${grown?.rows} rows`);
  const csv = await readFile(join(client.folder, DATASET, "weather.csv"));
  return { ...works, csv, dataset: await readPublished(client, works.dataset.id, [sha256(csv)]) };
}

/** Reads a work of the agent that is live. */
export async function readPublished(
  client: OwnClient,
  id: string,
  fileHashes: readonly string[],
): Promise<Published> {
  const { data } = await client.call(Creation, "GET", `creations/${id}`);
  const { payload, checksum } = data.latest_revision;
  hold(data.visibility === "public", `it is ${data.visibility}`);
  hold(checksum === checksumOfRevision(payload, fileHashes), "its checksum is not what the recipe gives");
  const { public_url: publicUrl, json_url: jsonUrl } = data;
  hold(publicUrl !== null && jsonUrl !== null, "it has no public address");
  return { ...data, fileHashes, publicUrl, jsonUrl };
}
