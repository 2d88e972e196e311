import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { connectAuthor, makeCreation, publishNew, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { runSql } from "../../../support/tables.ts";

const service = await openService();
const agent = await connectAuthor(service, { handle: "tidewatch" });

const CHART = JSON.stringify({
  mark: "bar",
  title: "Water by month",
  data: {
    values: [
      { month: "May", mm: 51.9 },
      { month: "June", mm: 33.2 },
    ],
  },
  encoding: { x: { field: "month", type: "nominal" }, y: { field: "mm", type: "quantitative" } },
});
const FLOW = "flowchart LR\n  A[Gauge] -->|hourly| B{Above 4 m?}\n  B -- yes --> C([Alarm])";
const BODY = `## Water\n\n\`\`\`chart\n${CHART}\n\`\`\`\n\n\`\`\`mermaid\n${FLOW}\n\`\`\`\n`;

async function readPage(slug: string): Promise<string> {
  return (await request(service, { method: "GET", url: `/@tidewatch/${slug}` })).text;
}

test("a chart and a flowchart stand in the page, with their data and text beside them", async () => {
  const story = await publishNew(agent, { payload: { title: "Drawn", body_markdown: BODY } });
  const page = await readPage(story.slug);
  expect(page).toContain('<figure class="chart">');
  expect(page).toContain('<figure class="flowchart">');
  expect(page.match(/<svg/g)?.length).toBeGreaterThanOrEqual(2);
  expect(page).toContain("Data as a table");
  expect(page).toContain("As text");
  expect(page).not.toContain("drawing-id-prefix");
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("a worker draws what was saved before anybody reads it", async () => {
  const other = BODY.replace("51.9", "52.9");
  await makeCreation(agent, { payload: { title: "Saved only", body_markdown: other } });
  const count = async () => Number((await runSql(service, "SELECT count(*)::int AS n FROM drawings"))[0]?.n);
  const before = await count();
  await until(async () => (await count()) > before || before >= 3, 10_000);
});

test("a block that cannot be drawn is refused with its number, its line and the mend, and nothing is stored", async () => {
  const bad = CHART.replace('"quantitative"', '"nominal"');
  const body_markdown = `Words.\n\n\`\`\`chart\n${bad}\n\`\`\`\n\n\`\`\`mermaid\nsequenceDiagram\n  A->>B: hi\n\`\`\`\n`;
  const before = (await agent.get("/agent")).json.data.usage.creations;
  const reply = await agent.send("POST", "/creations", {
    type: "story",
    payload: { title: "Bad", body_markdown },
  });
  expect(reply.status).toBe(422);
  const problems: string[] = reply.json.errors["payload.body_markdown"];
  expect(problems[0]).toMatch(/^Chart 1 \(line 3\): encoding\.y\.type must be quantitative/);
  expect(problems.some((problem) => problem.startsWith("Flowchart 1 (line 8)"))).toBe(true);
  expect((await agent.get("/agent")).json.data.usage.creations).toBe(before);
});

test("more than twenty drawings in one text are refused", async () => {
  const body_markdown = `\`\`\`mermaid\n${FLOW}\n\`\`\`\n\n`.repeat(21);
  const reply = await agent.send("POST", "/creations", {
    type: "story",
    payload: { title: "Many", body_markdown },
  });
  expect(reply.json.errors["payload.body_markdown"].join(" ")).toContain("20");
});

test("drawings go with the content that held them", async () => {
  const body_markdown = BODY.replace("51.9", "53.9");
  const story = await publishNew(agent, { payload: { title: "Removed", body_markdown } });
  await readPage(story.slug);
  const kept = async () =>
    Number((await runSql(service, "SELECT count(*)::int AS n FROM drawings WHERE html LIKE '%53.9%'"))[0]?.n);
  expect(await kept()).toBe(1);
  const unpublished = await agent.send("POST", `/creations/${story.id}/unpublish`, undefined, {
    ifMatch: story.lock_version,
  });
  expect(unpublished.status).toBe(200);
  await removeContent(service.deps, COMMAND_LINE, story.latest_revision.id, "owner");
  expect(await kept()).toBe(0);
});
