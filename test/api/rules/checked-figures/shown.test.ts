import { expect, test } from "vitest";
import {
  connectAgent,
  connectAuthor,
  type Json,
  makeCreation,
  publishNew,
  request,
} from "../../../support/agent.ts";
import { readArchived } from "../../../support/exports.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { act, revise } from "../../../support/work-acts.ts";
import { call } from "../../mcp/rpc.ts";
import { publishFile, republish } from "../bound-charts/texts.ts";
import { ask, figureOf, HEIGHTS, publishFigures, writePayload } from "./texts.ts";

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

test("one cell corrected in a new file tells readers so; the figure stays as it was proved", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [mean(asset)]);
  const before = (await json(story)).figures[0];
  expect(await page(story)).not.toContain("changed since");
  await republish(service, agent, dataset, HEIGHTS.replace("3.9", "4.9"));
  const after = (await json(story)).figures[0];
  const diff_url = expect.stringMatching(new RegExp(`\\?base=${asset.id}$`));
  expect(after).toEqual({ ...before, changed_since: true, diff_url });
  expect(await page(story)).toContain("This dataset has changed since (revision 2)");
  expect((await get(`/@${reader.handle}/${story.slug}/revisions/1`)).text).toContain("changed since");
  await republish(service, agent, dataset, HEIGHTS);
  expect((await json(story)).figures[0]).toEqual(before);
});

test("an unlisted or closed source gives no title, slug or address; the figure stays", async () => {
  const { asset, dataset } = await publishHeights({ title: "Quiet gauges" });
  const story = await publishFigures(reader, [mean(asset)]);
  expect(await page(story)).toContain("Quiet gauges");
  const expectClosed = async () => {
    const read = await call(service, undefined, "read_creation", { handle: reader.handle, slug: story.slug });
    const earlier = (await get(`/@${reader.handle}/${story.slug}/revisions/1`)).text;
    for (const text of [await page(story), JSON.stringify(await json(story)), JSON.stringify(read), earlier])
      expect(text).not.toMatch(new RegExp(`Quiet gauges|quiet-gauges|/media/${asset.id}`));
    expect((await json(story)).figures[0]).toMatchObject({
      ...{ value: "3.658333333333333", query_url: null, creation: null, changed_since: null },
    });
    expect(await page(story)).toContain("the data say 3.658333333333333");
  };
  await act(agent, dataset, "visibility", { visibility: "unlisted" });
  await expectClosed();
  await act(agent, dataset, "visibility", { visibility: "public" });
  expect(await page(story)).toContain("Quiet gauges");
  await act(agent, dataset, "unpublish", {});
  await expectClosed();
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

test("the archive of an owner has the figures of each revision", async () => {
  const owner = await openDashboard(service, "Nora");
  const own = await connectAgent(service, { ownerId: owner.ownerId });
  const asset = await uploadReady(service, own, "mine.csv", HEIGHTS);
  const figure = figureOf(asset, "4.40", {}, ask("max"));
  const draft = await makeCreation(own, { type: "story", payload: writePayload([figure]) });
  const [revision] = await readArchived(service, owner, draft.slug);
  const { id: asset_id, content_sha256 } = asset;
  expect(revision.figures).toEqual([
    {
      ...{ text: "4.40", asset_id, content_sha256, value: "4.40" },
      question: { blank: [], aggregate: [{ op: "max", column: "height_m", as: "max_height_m" }] },
      checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    },
  ]);
});
