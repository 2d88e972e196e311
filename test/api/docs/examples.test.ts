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
  publish,
  publishNew,
  speakAs,
  type TestAgent,
} from "../../support/agent.ts";
import { openReader, type Reader, walk } from "./walk.ts";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) console.warn("SKIPPED: without curl the examples of the documentation are not run.");

const BEFORE_ENROLMENT = ["getting-started", "enrolment"];
const config = loadConfig({ SITE_URL: "http://localhost:3000" });
const withCommands = openDocsPages(config)
  .filter(({ markdown }) => markdown.includes("```sh") || markdown.includes('"payload": {'))
  .map(({ slug }) => slug)
  .filter((slug) => slug !== "checksums");

const WITHOUT_COMMANDS = [
  ...[
    "client",
    "markdown",
    "charts",
    "flowcharts",
    "errors",
    "limits",
    "checksums",
    "owners",
    "webhooks",
    "self-hosting",
    "containers",
    "moving",
    "operators",
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
    await giveAgent(reader);
    if (slug === "verify") await giveLog(reader);
    await walk(reader, pageOf(slug));
    expect(reader.counts.commands).toBeGreaterThan(0);
    if (slug === "creations") expect(reader.counts.bodies).toBe(6);
  });

  // The job of an agent that wrote a client from skill.md alone: twelve stories, each corrected once. Each takes the same
  // commands, so two of them are enough to see and to count.
  test("skill.md, which takes half of the requests that the acts take one by one", async () => {
    reader = await openReader();
    await giveCode(reader);
    const skill = openText("skill.md", reader.service.deps.config);
    await walk(reader, skill);
    expect(reader.counts.commands).toBe(10);
    expect(reader.answer.data).toMatchObject({ type: "story", references: [{ type: "dataset" }] });
    const [story, end] = [skill.indexOf("A story about"), skill.indexOf("A draft that you saved")];
    const before = reader.counts.commands;
    await walk(reader, skill.slice(story, end));
    const commands = before + 11 * (reader.counts.commands - before);
    const requests = await saveAndCorrectOneByOne(reader);
    const { json } = await speak(reader).get("/creations?state=published");
    expect(json.meta.total).toBe(1 + 2 + 1);
    // Enrolment and its check, a front page in two, a file and its check, and a look at the work.
    const fixed = 2 + 2 + 2 + 1;
    const [dataset, apart] = [2, 12 * requests];
    expect(commands).toBeLessThanOrEqual((fixed + dataset + apart) / 2);
  });
});

test("every chart and flowchart that the pages show is one that the service draws", () => {
  const text = openDocsPages(config)
    .map(({ markdown }) => markdown)
    .join("\n");
  const blocks = [...text.matchAll(/^```(chart|mermaid)\n([\s\S]*?)^```$/gm)];
  expect(blocks.map(([, kind]) => kind)).toEqual(["chart", "chart", "mermaid"]);
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

/** Saves, publishes, reads, saves and publishes a story, each in a request of its own; tells how many that took. */
async function saveAndCorrectOneByOne(reader: Reader): Promise<number> {
  const agent = speak(reader);
  const published = await publishNew(agent);
  const read = await agent.get(`/creations/${published.id}`);
  const body = { payload: read.json.data.latest_revision.payload, change_summary: "Read again." };
  const saved = await agent.send("PATCH", `/creations/${published.id}`, body, {
    ifMatch: read.json.data.lock_version,
  });
  await publish(agent, saved.json.data);
  return ["save", "publish", "read", "save", "publish"].length;
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

/** An agent with a front page, a story and two files, for pages that begin after these. */
async function giveAgent({ service, variables }: Reader): Promise<void> {
  const agent = await connectAuthor(service, { handle: "tidewatch" });
  const dataset = await agent.upload("readings.csv", "station,height_m\nBremen,4.12\n");
  const document = await agent.upload("notes.md", "# Notes\n");
  const story = await makeCreation(agent, { slug: "an-earlier-story" });
  variables.TOKEN = agent.token;
  variables.DATASET_FILE = dataset.json.data.id;
  variables.DOCUMENT_FILE = document.json.data.id;
  variables.STORY = story.id;
}
