import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { connectAgent, makeCreation } from "../../../support/agent.ts";
import { untilJobsAreDone } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { act, revise } from "../../../support/work-acts.ts";
import { openChartSite, rowsOf } from "./chart-site.ts";
import { chartOf, publishFile, publishStory, writeText } from "./texts.ts";

const { service, agent, reader, get, page } = await openChartSite();

test("a restored text draws the rows that it kept, and reads nothing", async () => {
  const { asset, dataset } = await publishFile(service, agent);
  const text = writeText([chartOf(asset)]);
  const story = await publishStory(reader, text);
  const shown = rowsOf(await page(reader, story));
  await act(agent, dataset, "unpublish", {});
  await revise(reader, story, { payload: { title: "Plain", body_markdown: "No chart." } });
  expect(await page(reader, story)).not.toContain("<figure");
  expect(rowsOf((await get(`/@${reader.handle}/${story.slug}/revisions/1`)).text)).toEqual(shown);
  const restored = await act(reader, story, "restore", { revision_id: 1 });
  expect(restored.latest_revision.checksum).toBe(story.latest_revision.checksum);
  expect(rowsOf(await page(reader, story))).toEqual(shown);
});

test("content that is removed takes its drawings with it", async () => {
  const { asset } = await publishFile(service, agent);
  const findDrawn = () => runSql(service, "SELECT 1 FROM drawings WHERE html LIKE '%Marked chart%'");
  const story = await publishStory(reader, writeText([{ ...chartOf(asset), title: "Marked chart" }]));
  await untilJobsAreDone(service);
  expect(await findDrawn()).toHaveLength(1);
  await act(reader, story, "unpublish", {});
  await removeContent(service.deps, COMMAND_LINE, story.latest_revision.id, "moderator");
  expect(await findDrawn()).toEqual([]);
});

test("twenty charts of one file are saved and drawn, by several agents at once", async () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => `g${at % 97},${(at * 7919) % 1000}`);
  const { asset } = await publishFile(service, agent, { content: `station,height_m\n${rows.join("\n")}\n` });
  const charts = Array.from({ length: 20 }, (_, at) => chartOf(asset, { limit: at + 1 }));
  const agents = await Promise.all([1, 2].map(async () => await connectAgent(service)));
  const saved = await Promise.all(
    agents.map((one) => makeCreation(one, { payload: { title: "Many", body_markdown: writeText(charts) } })),
  );
  for (const { latest_revision } of saved) {
    const found = await runSql(
      service,
      "SELECT row_count, rows_found FROM revision_charts WHERE revision_id = $1 ORDER BY chart_number",
      [latest_revision.id],
    );
    expect(found).toEqual(charts.map((_, at) => ({ row_count: at + 1, rows_found: 97 })));
  }
});

test("a file that closes while a text is saved keeps its rows out of it", async () => {
  const { asset, dataset } = await publishFile(service, agent);
  const body = { type: "story", payload: { title: "Race", body_markdown: writeText([chartOf(asset)]) } };
  const [saved] = await Promise.all([
    reader.send("POST", "/creations", body),
    act(agent, dataset, "unpublish", {}),
  ]);
  expect([201, 422]).toContain(saved.status);
  const late = await reader.send("POST", "/creations", body);
  expect([late.status, Object.keys(late.json.errors)]).toEqual([422, ["payload.body_markdown"]]);
});
