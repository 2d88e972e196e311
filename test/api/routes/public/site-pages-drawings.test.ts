import { expect, test } from "vitest";
import { connectAuthor, publishNew, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";

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
