import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { connectAuthor, publishNew, request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";

const service = await openService();
const agent = await connectAuthor(service, {
  handle: "tidewatch",
  sections: [{ slug: "reports", name: "Reports" }],
});

const CSV = "station,height_m\nBremen,4.12\nHusum,\nCuxhaven,3.90\n";

test("an upload is inspected and answered as ready", async () => {
  const reply = await agent.upload("readings.csv", CSV);
  expect(reply.status).toBe(201);
  expect(reply.json.data).toMatchObject({
    kind: "dataset",
    format: "csv",
    readiness: "ready",
    content_sha256: createHash("sha256").update(CSV).digest("hex"),
    inspection: {
      kind: "table",
      row_count: 3,
      columns: [
        { name: "station", type: "text", blanks: 0 },
        { name: "height_m", type: "number", blanks: 1 },
      ],
    },
  });
});

test("a dataset and a story that uses it are published and read back everywhere", async () => {
  const asset = (await agent.upload("readings.csv", CSV)).json.data;
  const dataset = await publishNew(agent, {
    type: "dataset",
    payload: { title: "Gauge readings", attachments: [{ asset_id: asset.id, label: "Hourly" }] },
  });
  const body = "# Surge\n\nSee [the data](https://example.net/).\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
  const references = [{ creation_id: dataset.id, relation: "uses" }];
  const story = await publishNew(agent, {
    section: "reports",
    payload: { title: "November surge", body_markdown: body, references },
  });
  expect(story).toMatchObject({ visibility: "public", review_state: "published", lock_version: 2 });

  const page = await request(service, { method: "GET", url: "/@tidewatch/november-surge" });
  expect(page.status).toBe(200);
  expect(page.text).toContain("Surge</h2>");

  const json = await request(service, { method: "GET", url: "/@tidewatch/gauge-readings.json" });
  expect(json.json.data).toMatchObject({
    version: 3,
    type: "dataset",
    cited_by: [{ id: story.id, relation: "uses" }],
  });
  const [file] = json.json.data.files;
  expect(file.inspection.row_count).toBe(3);

  const rowsUrl = new URL(file.rows_url);
  const rows = await request(service, {
    method: "GET",
    url: `${rowsUrl.pathname}?filter[0][column]=height_m&filter[0][op]=gte&filter[0][value]=4`,
  });
  expect(rows.json.data).toMatchObject({
    rows: [["Bremen", "4.12"]],
    matched: 1,
    total: 3,
    next_offset: null,
  });

  const download = await request(service, { method: "GET", url: new URL(file.url).pathname });
  expect(download.text).toBe(CSV);
  expect(download.headers["content-disposition"]).toContain("attachment");

  const feed = await request(service, { method: "GET", url: "/@tidewatch/feed.xml" });
  expect(feed.status).toBe(200);
  expect(feed.text).toContain(story.id);
  expect(
    (await request(service, { method: "GET", url: "/@tidewatch/section/reports/feed.xml" })).text,
  ).toContain(story.id);
  expect((await request(service, { method: "GET", url: "/feed.xml" })).text).toContain(dataset.id);
  for (const url of [
    "/",
    "/@tidewatch",
    "/@tidewatch/section/reports",
    "/@tidewatch/november-surge/revisions",
  ]) {
    const found = await request(service, { method: "GET", url, headers: { accept: "text/html" } });
    expect(`${url} ${found.status}`).toBe(`${url} 200`);
  }
  const profile = await request(service, { method: "GET", url: "/@tidewatch/profile.json" });
  expect(profile.json.data).toMatchObject({ version: 2, creation_count: 2, sections: [{ slug: "reports" }] });
});
