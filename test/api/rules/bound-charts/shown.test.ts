import { expect, test } from "vitest";
import { readCharts } from "../../../../shared/reading/charts/bound-data.ts";
import { makeCreation, publish, publishNew } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { untilJobsAreDone } from "../../../support/service.ts";
import { act } from "../../../support/work-acts.ts";
import { call } from "../../mcp/rpc.ts";
import { openChartSite, rowsOf } from "./chart-site.ts";
import { chartOf, publishFile, publishStory, READINGS, republish, writeText } from "./texts.ts";

const { service, agent, reader, get, page, json, bound } = await openChartSite();

test("a chart draws what its address answers, names its source, and is a reference both ways", async () => {
  const { asset, dataset } = await publishFile(service, agent);
  const story = await publishStory(reader, writeText([chartOf(asset, { limit: 2 })]));
  const about = await bound(story);
  expect(about).toMatchObject({
    asset_id: asset.id,
    content_sha256: asset.content_sha256,
    creation: { id: dataset.id, title: "Gauge readings" },
    ...{ revision_number: 1, changed_since: false, diff_url: null },
  });
  const answer = (await get(new URL(about.query_url).pathname + new URL(about.query_url).search)).json.data;
  expect(answer.rows).toHaveLength(2);
  const html = await page(reader, story);
  expect(rowsOf(html)).toEqual(answer.rows.map((row: unknown[]) => row.map(String)));
  const chart = (
    await readCharts(service.deps, story.latest_revision.id, writeText([chartOf(asset, { limit: 2 })]))
  ).get(1);
  expect(chart?.rows.map(({ x, y }) => [x, y])).toEqual(answer.rows);
  expect(JSON.parse(about.question.text)).toEqual(answer.question);
  const line = /<p class="small">Data: (.*?)<\/p>/.exec(html)?.[1] ?? "";
  expect(line.replace(/<[^>]*>/g, "")).toBe(
    `Gauge readings, revision 1 · Holds in revision 1 (20 November) · 2 of 3 rows · SHA-256 ${asset.content_sha256.slice(0, 12)}…`,
  );
  const fromRoot = (url: string) => url.replace(/^https?:\/\/[^/]+/, "").replaceAll("&", "&amp;");
  expect(line).toContain(`href="${fromRoot(about.creation.url)}"`);
  expect(line).toContain(`href="${fromRoot(about.query_url)}"`);
  // Wherever the chart is framed, it says the same of its data; an earlier revision does not say what newer ones say.
  const framed = async (folder: string) => (await get(`/@${reader.handle}/${story.slug}/${folder}/1`)).text;
  const lineOf = (text: string) =>
    (/<p class="small">Data: (.*?)<\/p>/.exec(text)?.[1] ?? "").replace(/<[^>]*>/g, "");
  expect(lineOf(await framed("charts"))).toBe(lineOf(html));
  expect(lineOf(await framed("revisions/1/charts"))).toBe(
    lineOf(html).replace(" · Holds in revision 1 (20 November)", ""),
  );
  const reference = { id: dataset.id, relation: "uses", note: null };
  expect((await json(reader, story)).references).toEqual([expect.objectContaining(reference)]);
  expect((await json(agent, dataset)).cited_by).toEqual([
    expect.objectContaining({ id: story.id, relation: "uses" }),
  ]);
  expect(story.latest_revision.payload.references).toEqual([]);
});

test("a reference of the payload stands for the implicit one, and one source has one reference", async () => {
  const { asset, dataset } = await publishFile(service, agent);
  const references = [{ creation_id: dataset.id, relation: "cites", note: "Read it." }];
  const payload = { title: "Two", body_markdown: writeText([chartOf(asset), chartOf(asset)]), references };
  const named = await publishNew(reader, { payload });
  expect((await json(reader, named)).references).toEqual([
    expect.objectContaining({ relation: "cites", note: "Read it." }),
  ]);
  const unnamed = await publishStory(reader, payload.body_markdown);
  expect((await json(reader, unnamed)).references).toEqual([expect.objectContaining({ relation: "uses" })]);
});

test("one cell corrected in a new file tells readers so, and alters nothing that is shown", async () => {
  const { asset, dataset } = await publishFile(service, agent);
  const story = await publishStory(reader, writeText([chartOf(asset)]));
  await untilJobsAreDone(service);
  const before = await page(reader, story);
  const other = await republish(service, agent, dataset, READINGS.replace("4.4", "4.5"));
  expect(other.content_sha256).not.toBe(asset.content_sha256);
  const changed = await bound(story);
  expect(changed).toMatchObject({ changed_since: true, revision_number: 1 });
  expect(changed.diff_url).toMatch(new RegExp(`/media/${other.id}/diff\\?base=${asset.id}$`));
  const diff = (await get(changed.diff_url.replace(/^https?:\/\/[^/]+/, ""))).json.data;
  expect(diff.summary).toMatchObject({ changed: 1, cells: 1, added: 0, removed: 0 });
  const after = await page(reader, story);
  expect(rowsOf(after)).toEqual(rowsOf(before));
  expect(after).toContain("This dataset has changed since (revision 2)");
  expect(before).not.toContain("changed since");
  const { slug } = dataset;
  expect(after).toContain(`href="/@${agent.handle}/${slug}/revisions/1..2">This dataset has changed since`);
  const strip = (html: string) =>
    html.replace(/ · <a [^>]*>This dataset has changed since \(revision 2\)<\/a>/, "");
  expect(/<figure class="chart">.*<\/figure>.*?<\/p>/s.exec(strip(after))?.[0]).toBe(
    /<figure class="chart">.*<\/figure>.*?<\/p>/s.exec(before)?.[0],
  );
  await republish(service, agent, dataset, READINGS);
  expect(await bound(story)).toMatchObject({ changed_since: false });
  expect(await page(reader, story)).not.toContain("changed since");
});

test("an unlisted or closed source gives no title, slug or address; the rows stay", async () => {
  const { asset, dataset } = await publishFile(service, agent, { title: "Quiet gauges" });
  const story = await publishStory(reader, writeText([chartOf(asset)]));
  const before = await page(reader, story);
  expect(before).toContain("Quiet gauges");
  const surfaces = async () => {
    const read = await call(service, undefined, "read_creation", { handle: reader.handle, slug: story.slug });
    return [
      await page(reader, story),
      (await get(`/@${reader.handle}/${story.slug}/revisions/1`)).text,
      JSON.stringify(await json(reader, story)),
      (await get(`/@${reader.handle}/feed.xml`)).text,
      JSON.stringify(await bound(story)),
      JSON.stringify(read),
    ];
  };
  const closed = async (isAsked: boolean) => {
    for (const text of await surfaces()) {
      expect(text).not.toMatch(/Quiet gauges|quiet-gauges/);
      expect(text).not.toContain(`/media/${asset.id}`);
    }
    expect(await bound(story)).toMatchObject({
      ...{ creation: null, revision_number: null, changed_since: null, query_url: null },
    });
    expect(rowsOf(await page(reader, story))).toEqual(rowsOf(before));
    expect(isAsked).toBe(true);
  };
  await act(agent, dataset, "visibility", { visibility: "unlisted" });
  await closed(true);
  await act(agent, dataset, "visibility", { visibility: "public" });
  expect(await page(reader, story)).toBe(before);
  await act(agent, dataset, "unpublish", {});
  await closed(true);
});

test("own files of no open work are drawn without a source; it is named once it is open at a publication", async () => {
  const asset = await uploadReady(service, reader, "mine.csv", READINGS);
  const draft = await makeCreation(reader, {
    payload: { title: "Mine", body_markdown: writeText([chartOf(asset)]) },
  });
  const story = await publish(reader, draft);
  expect(await bound(story)).toMatchObject({ creation: null, query_url: null, changed_since: null });
  const html = await page(reader, story);
  expect(html).toContain('<p class="small">Data: its source is closed · 3 rows · SHA-256 ');
  expect((await json(reader, story)).references).toEqual([]);
  const payload = { title: "Mine, published", attachments: [{ asset_id: asset.id, label: "Mine" }] };
  const dataset = await publishNew(reader, { type: "dataset", payload });
  const restored = await act(reader, story, "restore", { revision_id: 1 });
  expect(await bound(restored)).toMatchObject({ creation: { id: dataset.id }, revision_number: 1 });
  expect((await json(reader, restored)).references).toEqual([expect.objectContaining({ relation: "uses" })]);
});

test("an earlier revision and its framed chart say too that the source has changed, with the next request", async () => {
  const { asset, dataset } = await publishFile(service, agent);
  const story = await publishStory(reader, writeText([chartOf(asset)]));
  const latest = (await reader.get(`/creations/${story.id}`)).json.data;
  const body = {
    payload: { title: "Plain", body_markdown: "No chart." },
    change_summary: "Out.",
    publish: {},
  };
  await reader.send("PATCH", `/creations/${story.id}`, body, { ifMatch: latest.lock_version });
  await untilJobsAreDone(service);
  const at = `/@${reader.handle}/${story.slug}/revisions/1`;
  const earlier = () => Promise.all([at, `${at}/charts/1`].map(async (path) => (await get(path)).text));
  for (const _ of [1, 2]) for (const text of await earlier()) expect(text).not.toContain("changed since");
  await republish(service, agent, dataset, READINGS.replace("4.4", "4.5"));
  for (const text of await earlier()) expect(text).toContain("This dataset has changed since (revision 2)");
});
