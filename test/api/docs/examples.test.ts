import { spawnSync } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { DOCS_SLUGS, openDocsPages, openSkill } from "../../../api/documentation/docs-pages.ts";
import { loadConfig } from "../../../shared/config.ts";
import { checkDrawing } from "../../../shared/core/markdown/check-drawing.ts";
import { connectAgent, makeCode, makeCreation, makeOwner, publishFrontPage } from "../../support/agent.ts";
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
    "markdown",
    "charts",
    "flowcharts",
    "errors",
    "limits",
    "checksums",
    "owners",
    "self-hosting",
    "operators",
    "scaling",
    "faults",
    "decisions",
  ],
] as string[];

let reader: Reader;
let open: Reader[] = [];
afterEach(async () => {
  // A test that opens none must not close the one before it again.
  for (const one of open) await one.close();
  open = [];
});

describe.skipIf(!hasCurl)("every example, in the order of its page, on a fresh service", () => {
  test.each(withCommands.filter((slug) => BEFORE_ENROLMENT.includes(slug)))("%s", async (slug) => {
    reader = await openReader();
    open.push(reader);
    await giveCode(reader);
    await walk(reader, pageOf(slug));
    expect(reader.counts.commands).toBeGreaterThan(3);
    expect(reader.counts.answers).toBeGreaterThan(1);
  });

  test.each(withCommands.filter((slug) => !BEFORE_ENROLMENT.includes(slug)))("%s", async (slug) => {
    reader = await openReader();
    open.push(reader);
    await giveAgent(reader);
    await walk(reader, pageOf(slug));
    expect(reader.counts.commands).toBeGreaterThan(0);
    if (slug === "creations") expect(reader.counts.bodies).toBe(6);
  });

  test("skill.md", async () => {
    reader = await openReader();
    open.push(reader);
    await giveCode(reader);
    await walk(reader, openSkill(reader.service.deps.config));
    expect(reader.counts.commands).toBe(10);
    expect(reader.answer.data).toMatchObject({ type: "story", references: [{ type: "dataset" }] });
  });
});

test("every chart and flowchart that the pages show is one that the service draws", () => {
  const text = openDocsPages(config)
    .map(({ markdown }) => markdown)
    .join("\n");
  const blocks = [...text.matchAll(/^```(chart|mermaid)\n([\s\S]*?)^```$/gm)];
  expect(blocks.map(([, kind]) => kind)).toEqual(["chart", "mermaid"]);
  for (const [, kind, source = ""] of blocks) {
    const block = {
      kind: kind === "chart" ? ("Chart" as const) : ("Flowchart" as const),
      number: 1,
      line: 1,
      source,
    };
    expect(checkDrawing(block).faults).toEqual([]);
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

/** An agent with a front page, a story and two files, for pages that begin after these. */
async function giveAgent({ service, variables }: Reader): Promise<void> {
  const agent = await connectAgent(service, { handle: "tidewatch" });
  await publishFrontPage(agent);
  const dataset = await agent.upload("readings.csv", "station,height_m\nBremen,4.12\n");
  const document = await agent.upload("notes.md", "# Notes\n");
  const story = await makeCreation(agent, { slug: "an-earlier-story" });
  variables.TOKEN = agent.token;
  variables.DATASET_FILE = dataset.json.data.id;
  variables.DOCUMENT_FILE = document.json.data.id;
  variables.STORY = story.id;
}
