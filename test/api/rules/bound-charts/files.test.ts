import { expect, test } from "vitest";
import { sha256 } from "../../../../shared/ground/checksum.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { CHANNEL_MEMBERS } from "../../../../shared/text/markdown/charts/chart.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { GALLERY_CHARTS } from "../../../gallery/charts.ts";
import { connectAgent, type Json, makeCreation, publishNew } from "../../../support/agent.ts";
import { untilJobsAreDone } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { act, revise } from "../../../support/work-acts.ts";
import { sendForm } from "../../routes/agent/append.ts";
import { ask, figureOf } from "../checked-figures/texts.ts";
import { openChartSite, rowsOf } from "./chart-site.ts";
import { chartOf, publishFile, publishStory, writeText } from "./texts.ts";

const { service, agent, reader, get, page } = await openChartSite();

const wordsOf = (svg: string) => svg.replace(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

test("the files of a chart from data work, and its CSV equals the table and the answer", async () => {
  const { asset } = await publishFile(service, agent);
  const story = await publishStory(agent, writeText([chartOf(asset, { limit: 2 })]));
  const at = `/@${agent.handle}/${story.slug}`;
  const [{ csv_url, bound }] = (await get(`${at}.json`)).json.data.charts;
  const { pathname, search } = new URL(bound.query_url);
  const { rows } = (await get(pathname + search)).json.data;
  const csv = (await get(new URL(csv_url).pathname)).text.trim().split(/\r?\n/);
  expect(csv).toEqual(["station,mean_m", ...rows.map((row: unknown[]) => row.join(","))]);
  const table = /<tbody>(.*?)<\/tbody>/s.exec((await get(at)).text)?.[1] ?? "";
  const cells = [...table.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = ""]) =>
    cell.replace(/<[^>]*>/g, ""),
  );
  expect(cells).toEqual(rows.flat().map(String));
  const files = await Promise.all(["svg", "png", "json"].map((format) => get(`${at}/charts/1.${format}`)));
  expect(files.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(files[2]?.json.data.from.asset_id).toBe(asset.id);
});

test("long identifiers of a JSON file are drawn with their digits", async () => {
  const ids = ["1729384756102938475", "1729384756102938476"];
  const content = `[{"id":${ids[0]},"v":1},{"id":${ids[1]},"v":2}]`;
  const { asset } = await publishFile(service, agent, { content, filename: "ids.json" });
  const from = { asset_id: asset.id, content_sha256: asset.content_sha256 };
  const encoding = { x: { field: "id", type: "nominal" }, y: { field: "v", type: "quantitative" } };
  const story = await publishStory(agent, writeText([{ mark: "bar", data: { from }, encoding }]));
  const csv = (await get(`/@${agent.handle}/${story.slug}/charts/1.csv`)).text.trim().split("\r\n");
  expect(csv).toEqual(["id,v", `${ids[0]},1`, `${ids[1]},2`]);
});

test("a table in a dialect has one hash in charts and figures: that of the file that readers download", async () => {
  const sent = "station;height_m\nHusum;4,40\nKiel;3,10\n";
  const dialect = JSON.stringify({ delimiter: ";", decimalChar: "," });
  const parts: [string, string, string?][] = [
    ["dialect", dialect],
    ["file", sent, "heights.csv"],
  ];
  const asset = (await sendForm(service, agent, parts)).json.data;
  const attachments = [{ asset_id: asset.id, label: "Heights" }];
  await publishNew(agent, { type: "dataset", payload: { title: "Heights", attachments } });
  const asRead = { ...asset, content_sha256: asset.canonical_sha256 };
  const figures = [figureOf(asset, "4.40", {}, ask("max")), figureOf(asRead, "3.10", {}, ask("min"))];
  const body_markdown = `From 3.10 to 4.40.\n\n${writeText([chartOf(asset), chartOf(asRead)])}`;
  const story = await publishNew(agent, { payload: { title: "Two", body_markdown, figures } });
  await untilJobsAreDone(service);
  const at = `/@${agent.handle}/${story.slug}`;
  const { charts, figures: shown } = (await get(`${at}.json`)).json.data;
  const hash = sha256((await get(`/media/${asset.id}/${asset.filename}`)).text);
  expect(hash).not.toBe(asset.canonical_sha256);
  const bound = charts.map((chart: Json) => ({ ...chart.bound, now: chart.now }));
  for (const one of [...shown, ...bound]) {
    expect([one.content_sha256, one.now.content_sha256]).toEqual([hash, hash]);
    expect([one.changed_since, one.now.state, one.revision_number]).toEqual([false, "holds", 1]);
  }
  const short = `${hash.slice(0, 12)}…`;
  expect((await get(at)).text.split(`SHA-256 <code>${short}`)).toHaveLength(5);
  expect(wordsOf((await get(`${at}/charts/1.svg`)).text)).toContain(`SHA-256 ${short}`);
});

test("a chart's drawing names its data as the page does, and no closed work", async () => {
  const { asset, dataset } = await publishFile(service, agent, { title: "Quiet gauges" });
  const story = await publishStory(agent, writeText([chartOf(asset)]));
  const draw = async () => wordsOf((await get(`/@${agent.handle}/${story.slug}/charts/1.svg`)).text);
  const hash = `SHA-256 ${asset.content_sha256.slice(0, 12)}…`;
  expect(await draw()).toContain(`Data: Quiet gauges, revision 1 · ${hash}`);
  await act(agent, dataset, "unpublish");
  const closed = await draw();
  expect(closed).not.toContain("Quiet gauges");
  expect(closed).toContain(`Data: ${hash}`);
});

const BLOCKS = GALLERY_CHARTS.map(({ name, source }) => ({ name, block: JSON.parse(source) })).filter(
  ({ name, block }) => /^(?:band|facets)/.test(name) || "color" in block.encoding,
);

test("the charts below have every channel that there is", () => {
  const channels = new Set(BLOCKS.flatMap(({ block }) => Object.keys(block.encoding)));
  expect([...channels].sort()).toEqual(Object.keys(CHANNEL_MEMBERS).sort());
});

test.each(BLOCKS.filter(({ name }) => /^(?:band|facets)/.test(name)))(
  "$name: a chart from data is drawn as one with the same values is",
  async ({ name, block }) => {
    const content = JSON.stringify(block.data.values);
    const { asset } = await publishFile(service, agent, { content, filename: "values.json", title: name });
    const from = { asset_id: asset.id, content_sha256: asset.content_sha256 };
    const story = await publishStory(reader, writeText([block, { ...block, data: { from } }]));
    const read = async (file: string) => await get(`/@${reader.handle}/${story.slug}/charts/${file}`);
    const [own, bound] = [await read("1.csv"), await read("2.csv")];
    expect([bound.status, bound.text]).toEqual([200, own.text]);
    expect((await read("2.svg")).status).toBe(200);
  },
);

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
