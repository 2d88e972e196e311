import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { DOCS_SLUGS, openDocsPages, openText } from "../../../api/openapi/documentation/docs-pages.ts";
import { loadConfig } from "../../../shared/platform/config.ts";
import { checkDrawing } from "../../../shared/text/markdown/drawing-blocks.ts";
import { sweepLog } from "../../../shared/trust/transparency-log/sequence-log.ts";
import {
  connectAuthor,
  makeCode,
  makeCreation,
  makeOwner,
  publishNew,
  request,
  speakAs,
  type TestAgent,
} from "../../support/agent.ts";
import { openReader, type Reader, walk } from "./walk.ts";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) console.warn("SKIPPED: without curl the examples of the documentation are not run.");

const BEFORE_ENROLMENT = ["getting-started", "enrolment"];
const config = loadConfig({ SITE_URL: "http://localhost:3000" });
const withCommands = openDocsPages(config)
  .filter(({ markdown }) => /```(sh|http)\n/.test(markdown) || markdown.includes('"payload": {'))
  .map(({ slug }) => slug)
  .filter((slug) => slug !== "checksums");

const WITHOUT_COMMANDS = [
  ...[
    "client",
    "markdown",
    "charts",
    "charts-that-tell",
    "charts-with-notes",
    "embedding",
    "flowcharts",
    "errors",
    "limits",
    "checksums",
    "owners",
    "webhooks",
    "tools",
    "tool-calls",
    "tool-clients",
    "event-clients",
    "reference-sizes",
    "reference-files",
    "reference-hints",
    "reference-tables",
    "reference-numbers",
    "reference-design",
    "reference-events",
    "self-hosting",
    "containers",
    "moving",
    "operators",
    "witnesses",
    "requests-by-law",
    "scaling",
    "faults",
  ],
] as string[];

let reader: Reader;

describe.skipIf(!hasCurl)("every example, in the order of its page, on a fresh service", () => {
  test.each(withCommands.filter((slug) => BEFORE_ENROLMENT.includes(slug)))("%s", async (slug) => {
    reader = await openReader();
    await giveCode(reader);
    await walk(reader, pageOf(slug));
    expect(reader.counts.commands).toBeGreaterThan(3);
    expect(reader.counts.answers).toBeGreaterThan(1);
  });

  test.each(withCommands.filter((slug) => !BEFORE_ENROLMENT.includes(slug)))("%s", async (slug) => {
    reader = await openReader();
    await giveAgent(reader, slug);
    if (slug === "verify") await giveLog(reader);
    await walk(reader, pageOf(slug));
    expect(reader.counts.commands).toBeGreaterThan(0);
    if (slug === "creations") expect(reader.counts.bodies).toBe(6);
  });

  test("skill.md, from the code to a corrected story", async () => {
    reader = await openReader();
    await giveCode(reader);
    await walk(reader, openText("skill.md", reader.service.deps.config));
    expect(reader.counts.commands).toBe(10);
    expect(reader.answer.data).toMatchObject({
      ...{ type: "story", revision_number: 3, references: [{ type: "dataset" }] },
      ...{ figures: [{ text: "4.6 m", now: { state: "holds" } }], evidence: { holds: 1 } },
    });
    expect(reader.answer.data.body_markdown).toBe("The gauge of Husum rose to **4.6 m**.");
  });
});

test("every chart and flowchart that the pages show is one that the service draws", () => {
  const pages = openDocsPages(config).map(({ slug, markdown }) => {
    const blocks = [...markdown.matchAll(/^```(chart|mermaid)\n([\s\S]*?)^```$/gm)];
    return { slug, sections: markdown.split("\n## ").length - 1, blocks };
  });
  const shown = pages.filter(({ blocks }) => blocks.length > 0).map(({ slug }) => slug);
  expect(shown).toEqual([
    "charts-from-data",
    "charts",
    "charts-that-tell",
    "charts-with-notes",
    "flowcharts",
  ]);
  for (const page of pages.filter(({ slug }) => /^charts-(?:that|with)-/.test(slug)))
    expect(page.blocks).toHaveLength(page.sections);
  const blocks = pages.flatMap((page) => page.blocks);
  for (const [, kind, source = ""] of blocks) {
    const block = {
      kind: kind === "chart" ? ("Chart" as const) : ("Flowchart" as const),
      number: 1,
      line: 1,
      source,
    };
    expect(checkDrawing(block, true).faults).toEqual([]);
  }
});

test.skipIf(!hasCurl)("no page with a command is left out", () => {
  expect(withCommands).toEqual(DOCS_SLUGS.filter((slug) => !WITHOUT_COMMANDS.includes(slug)));
});

function pageOf(slug: string): string {
  const page = openDocsPages(reader.service.deps.config).find((candidate) => candidate.slug === slug);
  return page?.markdown ?? "";
}

async function giveCode({ service, variables }: Reader): Promise<void> {
  variables.CODE = await makeCode(service, await makeOwner(service));
}

/** A client with the token that the skill's commands were sent with. */
function speak({ service, variables }: Reader): TestAgent {
  return speakAs(service, { id: "", handle: "tidewatch", ownerId: "", token: variables.TOKEN ?? "" });
}

/** A log with some publications, the first of them a work that a reader wants to check. */
async function giveLog(reader: Reader): Promise<void> {
  const agent = speak(reader);
  for (const title of ["One", "Two", "Three", "Four"]) {
    await publishNew(agent, { payload: { title, body_markdown: title } });
  }
  await sweepLog(reader.service.deps);
  reader.variables.WORK = `${reader.variables.SITE}/@tidewatch/three`;
}

const READINGS = "station,height_m\nBremen,4.12\nHusum,\nCuxhaven,3.90\n";
const HEIGHTS = "station,day,height_m\nHusum,2026-11-18,3.9\nHusum,2026-11-19,4.4\nTönning,2026-11-18,3.2\n";
const GRADED = "station,day,height_m,quality\nHusum,2026-11-18,3.9,A\nHusum,2026-11-19,-999,B\n";
const PRICES =
  "city,price,day\nBremen,0.1,2026-01-31\nHusum,NA,2026-02-01\nBremen,0.2,2026-02-03\n,5,2026-02-03\n";
const NEWER =
  "city,price,day\nBremen,0.1,2026-01-31\nHusum,0.3,2026-02-01\nKiel,0.2,2026-02-03\n,5,2026-02-03\n";

/** The published tables that pages begin with. */
const PUBLISHED: Record<string, readonly string[]> = {
  ...{
    evidence: [HEIGHTS],
    "charts-from-data": [HEIGHTS],
    query: [PRICES],
    "comparing-files": [PRICES, NEWER],
  },
  ...{ "reading-rows": [READINGS], "reference-statistics": [READINGS], "reference-parquet": [READINGS] },
  ...{ watching: ["station,height_m\nBremen,4.12\nHusum,4.40\n"] },
};

/** The files that pages begin with, where they are not the readings of three gauges. */
const UPLOADED: Record<string, string> = { dictionary: GRADED, metadata: HEIGHTS };

/** An agent with a front page, a story and files, and a published dataset, for pages that begin after these. */
async function giveAgent({ service, variables }: Reader, slug: string): Promise<void> {
  const agent = await connectAuthor(service, { handle: "tidewatch" });
  const document = await agent.upload("notes.md", "# Notes\n");
  const story = await makeCreation(agent, { slug: "an-earlier-story" });
  Object.assign(variables, { TOKEN: agent.token, DOCUMENT_FILE: document.json.data.id, STORY: story.id });
  for (const [at, table] of (PUBLISHED[slug] ?? [UPLOADED[slug] ?? READINGS]).entries()) {
    const { id: asset_id, content_sha256: HASH } = (await agent.upload("readings.csv", table)).json.data;
    Object.assign(variables, { [at === 0 ? "ASSET" : "NEWER"]: asset_id, DATASET_FILE: asset_id, HASH });
    if (PUBLISHED[slug] === undefined) continue;
    const payload = { title: "Heights of November", attachments: [{ asset_id, label: "Heights" }] };
    const { id: DATASET, json_url } = await publishNew(agent, { type: "dataset", payload });
    const { json } = await request(service, { method: "GET", url: new URL(json_url).pathname });
    const { rows_url: ROWS_URL, url: FILE_URL, parquet_url: PARQUET_URL } = json.data.files[0];
    Object.assign(variables, { DATASET, ROWS_URL, FILE_URL, PARQUET_URL });
  }
}
