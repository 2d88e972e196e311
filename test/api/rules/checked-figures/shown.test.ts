import { expect, test } from "vitest";
import { connectAuthor, type Json, publishNew, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { act, revise } from "../../../support/work-acts.ts";
import { publishFile } from "../bound-charts/texts.ts";
import { figureOf, HEIGHTS, publishFigures } from "./texts.ts";

const service = await openService();
const [agent, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);

const get = async (url: string) => await request(service, { method: "GET", url });
const page = async (work: Json) => (await get(`/@${reader.handle}/${work.slug}`)).text;
const json = async (work: Json) => (await get(`/@${reader.handle}/${work.slug}.json`)).json.data;
const mean = (asset: Json) => figureOf(asset, "3.66 m", { decimals: 2, unit: "m" });
const publishHeights = async (more: Json = {}) =>
  await publishFile(service, agent, { content: HEIGHTS, ...more });

test("a figure names its value, question and source, and its source is a reference both ways", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [mean(asset)]);
  const [figure] = (await json(story)).figures;
  expect(figure).toMatchObject({
    ...{ text: "3.66 m", value: "3.658333333333333", changed_since: false, diff_url: null },
    ...{ asset_id: asset.id, content_sha256: asset.content_sha256, revision_number: 1 },
    creation: { id: dataset.id, title: "Gauge readings" },
  });
  expect(Math.abs(Date.parse(figure.checked_at) - service.deps.now())).toBeLessThan(60_000);
  const { pathname, search } = new URL(figure.query_url);
  expect((await get(pathname + search)).json.data.rows).toEqual([[Number(figure.value)]]);
  const html = await page(story);
  expect(html).toContain(
    '<a class="checked" id="body-figureref:1" href="#body-figure:1" title="Checked against the data">3.66 m</a>',
  );
  const entry = /<li id="body-figure:1">.*?<\/li>/s.exec(html)?.[0] ?? "";
  expect(entry).toContain('href="#body-figureref:1"');
  const hash = asset.content_sha256.slice(0, 12);
  expect(entry.replace(/<[^>]*>/g, "")).toContain(
    `Data: Gauge readings, revision 1 · Holds in revision 1 (20 November) · the data say 3.658333333333333 · SHA-256 ${hash}…`,
  );
  expect(entry).toContain("&quot;op&quot;:&quot;avg&quot;");
  expect(html).toContain("Figures checked against the data</h2>");
  const [reference] = (await json(story)).references;
  expect(reference).toMatchObject({ id: dataset.id, relation: "uses", note: null });
  const cited = (await get(`/@${agent.handle}/${dataset.slug}.json`)).json.data.cited_by;
  expect(cited).toEqual([expect.objectContaining({ id: story.id, relation: "uses" })]);
  expect(story.latest_revision.payload.references).toEqual([]);
});

test("briefs have figures", async () => {
  const { asset } = await publishHeights();
  const payload = { body_markdown: "The mean is 3.66 m.", figures: [mean(asset)] };
  const brief = await publishNew(reader, { type: "brief", payload });
  expect((await json(brief)).figures).toHaveLength(1);
  expect(await page(brief)).toContain("Figures checked against the data");
});

test("a restored text keeps what the data said, and asks nothing", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [mean(asset)]);
  const before = (await json(story)).figures[0];
  await revise(reader, story, { payload: { title: "Plain", body_markdown: "None." } });
  expect((await json(story)).figures).toEqual([]);
  expect((await get(`/@${reader.handle}/${story.slug}/revisions/1.json`)).json.data.figures).toEqual([
    { ...before, now: null },
  ]);
  await act(agent, dataset, "unpublish", {});
  const restored = await act(reader, story, "restore", { revision_id: 1 });
  expect(restored.latest_revision.checksum).toBe(story.latest_revision.checksum);
  expect((await json(story)).figures[0]).toMatchObject({
    ...{ value: before.value, checked_at: before.checked_at, creation: null },
  });
});
