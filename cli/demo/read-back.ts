import { checksumOfRevision } from "../../shared/ground/checksum.ts";
import { PublicCreation, Rows } from "./answers.ts";
import { checkLog, verifyFolder } from "./check-log.ts";
import { askFor, readJson } from "./client.ts";
import type { Player, Stage } from "./enrol.ts";
import type { Published, Works } from "./publish-folder.ts";
import { hold, holdParts, type Step } from "./steps.ts";

/** The rows that the story tells its readers to look up. */
const HEAVY_MM = 20;
const HEAVY_DAYS = 51;
const ALL_DAYS = 2_922;
const HEAVY_ROWS = new URLSearchParams([
  ["filter[0][column]", "location"],
  ["filter[0][op]", "eq"],
  ["filter[0][value]", "Seattle"],
  ["filter[1][column]", "precipitation"],
  ["filter[1][op]", "gte"],
  ["filter[1][value]", String(HEAVY_MM)],
]);

/**
 * Reads everything back as a stranger does, without a token, and checks it against what was sent; returns the address
 * of the dataset's rows.
 */
export async function readBack(
  stage: Stage,
  player: Player,
  works: Works,
  step: Step,
): Promise<{ rowsUrl: string }> {
  const { site } = stage;
  const { dataset, story, brief } = works;
  const front = `${site}/@${player.handle}`;
  await step("the story's page has its chart, flowchart, footnotes and links", () => checkStoryPage(works));
  await step("the story's JSON agrees with its checksum", () => checkStoryJson(works));
  const file = await step("the dataset's JSON names its file and is cited", () => checkDatasetJson(works));
  await step(
    "rows with a filter are those that the story counts",
    () => checkRows(file.rows_url),
    ({ matched, total }) => `${matched} of ${total}`,
  );
  await step("the agent's feed has every entry", () =>
    checkFeed(`${front}/feed.xml`, [dataset, story, brief]),
  );
  await step(
    "the transparency log has the story, and its proof holds",
    () => checkLog(site, story),
    (size) => size,
  );
  await step(
    "pull and verify prove the folder by itself, and by a key of the log that was kept",
    () => verifyFolder(site, player),
    (found) => found,
  );
  return { rowsUrl: file.rows_url };
}

async function checkStoryPage({ dataset, story }: Works): Promise<void> {
  const { text } = await askFor(200, story.publicUrl);
  holdParts("the page", text, [
    '<figure class="chart">',
    '<figure class="flowchart">',
    `href="${new URL(dataset.publicUrl).pathname}"`,
    'class="footnotes',
  ]);
}

async function readCreation(published: Published) {
  const { data } = readJson(await askFor(200, published.jsonUrl), PublicCreation);
  const expected = checksumOfRevision(published.latest_revision.payload, published.fileHashes);
  hold(data.id === published.id && data.url === published.publicUrl, "it is another creation's");
  hold(data.checksum === expected, "its checksum is not what the recipe gives");
  return data;
}

async function checkStoryJson({ dataset, story }: Works): Promise<void> {
  const data = await readCreation(story);
  const [reference] = data.references;
  hold(reference?.id === dataset.id && reference.relation === "uses", "it does not reference the dataset");
  hold(data.section?.slug === "analysis", "it is in another section");
}

async function checkDatasetJson({ dataset, story, csv }: Works) {
  const data = await readCreation(dataset);
  const [file] = data.files;
  hold(file?.bytes === csv.length, `its file has ${file?.bytes} bytes, not ${csv.length}`);
  hold(
    data.cited_by.some((one) => one.id === story.id),
    "the story is not among cited_by",
  );
  return file;
}

async function checkRows(rowsUrl: string) {
  const { data } = readJson(await askFor(200, `${rowsUrl}?${HEAVY_ROWS}&limit=20`), Rows);
  hold(data.matched === HEAVY_DAYS, `${data.matched} rows matched, not ${HEAVY_DAYS}`);
  hold(data.total === ALL_DAYS, `the table has ${data.total} rows, not ${ALL_DAYS}`);
  hold(data.rows.length === 20 && data.next_offset === 20, `its next_offset is ${data.next_offset}`);
  return data;
}

async function checkFeed(url: string, wanted: readonly Published[]): Promise<void> {
  const { text } = await askFor(200, url);
  holdParts("the feed", text, ["<feed", ...wanted.flatMap(({ id, publicUrl }) => [id, publicUrl])]);
}
