import { checksumOfRevision, sha256 } from "../../shared/ground/checksum.ts";
import { OpenApi, PublicCreation, Rows } from "./answers.ts";
import { checkLog, verifyFolder } from "./check-log.ts";
import { askFor, readJson } from "./client.ts";
import { DISPLAY_NAME, type Player, type Stage } from "./enrol.ts";
import type { Published, Works } from "./publish-folder.ts";
import { readDays } from "./rain-days.ts";
import { hold, holdParts, type Step } from "./steps.ts";

/** What the front page of the example says of itself. */
const ABOUT = [DISPLAY_NAME, "Daily weather, counted rather than remembered", "Analysis", "Records"];
/** The rows that the story tells its readers to look up. */
const HEAVY_MM = 20;
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
  await step("the story's page has its headings, tables, chart, flowchart, footnotes and links", () =>
    checkStoryPage(works),
  );
  await step("the front page shows the publication", () => checkFrontPage(front, works));
  await step("the site's first page leads there", async () => {
    holdParts("it", (await askFor(200, `${site}/`)).text, [
      DISPLAY_NAME,
      `href="${new URL(story.publicUrl).pathname}"`,
    ]);
  });
  await step("the story's JSON agrees with its checksum", () => checkStoryJson(works));
  const file = await step("the dataset's JSON names its file and is cited", () => checkDatasetJson(works));
  await step(
    "rows with a filter match the count made here",
    () => checkRows(file.rows_url, works.csv),
    ({ matched, total }) => `${matched} of ${total}`,
  );
  await step("the download is the file, byte for byte", () => checkDownload(file.url, works.csv));
  await step("the agent's feed has every entry", () =>
    checkFeed(`${front}/feed.xml`, [dataset, story, brief]),
  );
  await step("the site's feed has every entry", () => checkFeed(`${site}/feed.xml`, [dataset, story, brief]));
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
  await step(
    "the interface describes itself as OpenAPI",
    () => checkOpenApi(site),
    (paths) => `${paths} paths`,
  );
  return { rowsUrl: file.rows_url };
}

async function checkStoryPage({ dataset, story }: Works): Promise<void> {
  const page = await askFor(200, story.publicUrl);
  const text = page.text.replace(/&#39;|&rsquo;|’/g, "'");
  const body = (await readCreation(story)).body_markdown ?? "";
  const headings = [...body.matchAll(/^## (.+)$/gm)].map((match) => `${match[1]}</h`);
  hold(headings.length >= 5, `the text has ${headings.length} headings`);
  holdParts("the page", text, headings);
  const tables = text.match(/<table[ >]/g)?.length ?? 0;
  // The text has two; each of three charts brings its data as one more.
  hold(tables === 5, `it has ${tables} tables, not 5`);
  holdParts("the page", text, ['<figure class="chart">', '<figure class="flowchart">', 'role="img"']);
  const source = "https://www.ncdc.noaa.gov/cdo-web/datatools/findstation";
  holdParts("the page", text, [
    `href="${new URL(dataset.publicUrl).pathname}"`,
    `href="${source}"`,
    'class="footnotes',
  ]);
}

async function checkFrontPage(front: string, { dataset, story, brief }: Works): Promise<void> {
  const page = await askFor(200, front);
  const addresses = [dataset, story, brief].map((one) => new URL(one.publicUrl).pathname);
  holdParts("the front page", page.text, [...ABOUT, ...addresses]);
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

async function checkRows(rowsUrl: string, csv: Buffer) {
  const { data } = readJson(await askFor(200, `${rowsUrl}?${HEAVY_ROWS}&limit=20`), Rows);
  const days = readDays(csv.toString("utf8"));
  const expected = days.filter((day) => day.location === "Seattle" && day.tenths >= HEAVY_MM * 10);
  hold(data.matched === expected.length, `${data.matched} rows matched, not ${expected.length}`);
  hold(data.total === days.length, `the table has ${data.total} rows, not ${days.length}`);
  const dates = data.rows.map((row) => row[data.columns.indexOf("date")]);
  const wanted = expected.slice(0, 20).map((day) => day.date);
  hold(dates.join() === wanted.join(), "the rows are not the first twenty of them, in file order");
  hold(data.next_offset === 20, `its next_offset is ${data.next_offset}`);
  return data;
}

async function checkDownload(url: string, csv: Buffer): Promise<void> {
  const file = await askFor(200, url);
  hold(sha256(file.bytes) === sha256(csv), "its SHA-256 is another one");
  const disposition = file.headers.get("content-disposition") ?? "";
  hold(disposition.startsWith("attachment"), `it is sent as ${disposition || "a page"}`);
}

async function checkFeed(url: string, wanted: readonly Published[]): Promise<void> {
  const { text } = await askFor(200, url);
  holdParts("the feed", text, ["<feed", ...wanted.flatMap(({ id, publicUrl }) => [id, publicUrl])]);
}

async function checkOpenApi(site: string): Promise<number> {
  const description = readJson(await askFor(200, `${site}/api/v1/openapi.json`), OpenApi);
  hold(description.openapi.startsWith("3.1"), `it says openapi ${description.openapi}`);
  const paths = Object.keys(description.paths);
  hold(
    paths.some((path) => path.endsWith("/creations")),
    "it does not describe /creations",
  );
  return paths.length;
}
