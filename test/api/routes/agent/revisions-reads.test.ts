import { beforeEach, expect, test } from "vitest";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import {
  connectAgent,
  connectAuthor,
  type Json,
  makeCreation,
  publish,
  publishNew,
} from "../../../support/agent.ts";
import { runs } from "../../../support/depth.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { call } from "../../mcp/rpc.ts";

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const CRAWLER = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const NONE = { page: 0, markdown: 0, json: 0, rows: 0, download: 0, robots: 0 };

const service = await openService({ workers: false });
const dashboard = await openDashboard(service);
const tide = await connectAuthor(service, { handle: "tide", ownerId: dashboard.ownerId });
const asset = await uploadReady(service, tide, "gauges.csv", "station,height_m\nBremen,4.12\nHusum,4.40\n");
const payload = { title: "Gauges", attachments: [{ asset_id: asset.id, label: "Heights" }] };
const make = async (slug: string) => await makeCreation(tide, { type: "dataset", slug, payload });
const data = await publish(tide, await make("gauges"));
const copy = await publish(tide, await make("copy"), { visibility: "unlisted" });
const draft = await make("draft");
const site = await service.app.listen({ port: 0, host: "127.0.0.1" });

beforeEach(async () => {
  await service.reads.flush();
  await runSql(service, "DELETE FROM read_counts");
  service.clock.nowMs = TEST_START_MS;
});

/** What answers to a GET, over HTTP, as a reader's program sends it. */
async function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  const sent = { "user-agent": BROWSER, ...headers };
  const response = await fetch(`${site}${path}`, { method, headers: sent, redirect: "manual" });
  await response.arrayBuffer();
  return response;
}

/** The sums of a work once everything is written. */
async function sumsOf({ id }: Json): Promise<Json> {
  await service.reads.flush();
  const { json } = await tide.get(`/creations/${id}/reads`);
  return json.meta;
}

test.each([
  ["/@tide/copy", { page: 2 }],
  ["/@tide/copy/revisions", { page: 2 }],
  ["/@tide/copy/revisions/1", { page: 2 }],
  ["/@tide/copy/revisions/1..1", { page: 2 }],
  ["/@tide/copy/files/1", { page: 2 }],
  ["/@tide/copy.md", { markdown: 2 }],
  ["/@tide/copy/revisions/1.md", { markdown: 2 }],
  ["/@tide/copy.json", { json: 2 }],
  ["/@tide/copy/revisions.json", { json: 2 }],
  ["/@tide/copy/revisions/1.json", { json: 2 }],
  ["/@tide/copy/revisions/1..1.json", { json: 2 }],
])("%s is read twice, by the framework and past it", async (path, counted) => {
  const statuses = [(await get(path)).status, (await get(path)).status];
  expect([statuses, await sumsOf(copy)]).toEqual([[200, 200], { ...NONE, ...counted }]);
});

test.each([
  ["application/json", { json: 1 }],
  ["application/ld+json", {}],
])("the page as %s counts as that form where its own address does", async (accept, counted) => {
  expect((await get("/@tide/gauges", { accept })).headers.get("content-type")).toContain(accept);
  expect(await sumsOf(data)).toEqual({ ...NONE, ...counted });
});

test("the text of a story as Markdown is a read of that form", async () => {
  const story = await publishNew(tide, { slug: "surge" });
  const answer = await get("/@tide/surge", { accept: "text/markdown" });
  expect(answer.headers.get("content-type")).toContain("text/markdown");
  expect(await sumsOf(story)).toEqual({ ...NONE, markdown: 1 });
});

test("a file's rows, exports, statistics, questions and downloads count for each open work that shows it", async () => {
  const media = `/media/${asset.id}`;
  const base = `base=${asset.id}`;
  for (const path of ["rows", "rows/all.csv", "rows/all.ndjson", "stats", "query?limit=1", `diff?${base}`])
    expect(`${path} ${(await get(`${media}/${path}`)).status}`).toBe(`${path} 200`);
  expect((await get(`${media}/gauges.csv`)).status).toBe(200);
  const counted = { ...NONE, rows: 6, download: 1 };
  expect([await sumsOf(data), await sumsOf(copy), await sumsOf(draft)]).toEqual([counted, counted, NONE]);
});

test("an answer that nothing changed counts as the whole does", async () => {
  for (const path of ["/@tide/gauges", "/@tide/gauges.json", `/media/${asset.id}/gauges.csv`]) {
    const etag = (await get(path)).headers.get("etag") ?? "";
    expect((await get(path, { "if-none-match": etag })).status).toBe(304);
    expect((await get(path, { "if-none-match": etag })).status).toBe(304);
  }
  expect(await sumsOf(data)).toEqual({ ...NONE, page: 3, json: 3, download: 3 });
});

test("heads, parts, refusals, other addresses and the console count nothing", async () => {
  const media = `/media/${asset.id}`;
  for (const path of ["/@tide/gauges", "/@tide/gauges.json", `${media}/rows`, `${media}/gauges.csv`])
    expect((await get(path, {}, "HEAD")).status).toBe(200);
  expect((await get(`${media}/gauges.csv`, { range: "bytes=0-3" })).status).toBe(206);
  expect((await get(`${media}/rows?limit=none`)).status).toBe(422);
  for (const path of ["/@tide/draft", "/@tide/gauges/revisions/9", `/media/${data.id}/rows`])
    expect((await get(path)).status).toBe(404);
  for (const path of [
    "/",
    "/@tide",
    "/@tide/gauges/changes.xml",
    "/@tide/gauges/cite.bib",
    "/@tide/gauges/linkset.json",
  ])
    expect(`${path} ${(await get(path)).status}`).toBe(`${path} 200`);
  expect((await get(`/id/${data.id}`)).status).toBe(302);
  expect((await get(`/id/${data.id}`, { accept: "application/json" })).status).toBe(200);
  expect((await dashboard.get(`/console/works/${data.id}/revisions/1`)).status).toBe(200);
  expect(await sumsOf(data)).toEqual(NONE);
});

test("robots are apart, in whatever form they read", async () => {
  for (const path of ["/@tide/gauges", "/@tide/gauges", "/@tide/gauges.json"])
    await get(path, { "user-agent": CRAWLER });
  await get("/@tide/gauges");
  expect(await sumsOf(data)).toEqual({ ...NONE, page: 1, robots: 3 });
});

test("the tool read_creation reads the JSON, by whatever name, as the program that calls it", async () => {
  const url = `${service.deps.config.siteUrl}/@tide/gauges`;
  for (const args of [{ handle: "tide", slug: "gauges" }, { url }, { creation_id: data.id }])
    expect((await call(service, undefined, "read_creation", args)).isError).toBe(false);
  await call(service, undefined, "read_dataset_rows", { asset_id: asset.id });
  // The test's own client says that it is a robot.
  expect(await sumsOf(data)).toEqual({ ...NONE, robots: 4 });
  const counts = await runSql(service, "SELECT form, robots::int FROM read_counts ORDER BY 1, 2");
  expect(counts).toEqual([
    { form: "json", robots: 3 },
    { form: "rows", robots: 1 },
    { form: "rows", robots: 1 },
  ]);
});

test("the days of an answer are those asked for, without reads too", async () => {
  await get("/@tide/gauges");
  service.clock.nowMs += 2 * DAY_MS;
  await get("/@tide/gauges");
  await get("/@tide/gauges.json");
  await service.reads.flush();
  const path = `/creations/${data.id}/reads`;
  const { data: days, meta } = (await tide.get(`${path}?from=2026-11-20&to=2026-11-23`)).json;
  expect(days).toEqual([
    { day: "2026-11-20", ...NONE, page: 1 },
    { day: "2026-11-21", ...NONE },
    { day: "2026-11-22", ...NONE, page: 1, json: 1 },
    { day: "2026-11-23", ...NONE },
  ]);
  expect(meta).toEqual({ ...NONE, page: 2, json: 1 });
  expect((await tide.get(`${path}?from=2026-11-21`)).json.meta).toEqual({ ...NONE, page: 1, json: 1 });
  const args = { creation_id: data.id, from: "2026-11-20", to: "2026-11-23" };
  const told = await call(service, tide.token, "get_reads", args);
  expect([told.json.data, told.json.meta]).toEqual([[days[0], days[2]], meta]);
  const all = (await tide.get(path)).json.data;
  expect([all.length, all[0].day, all[29].day]).toEqual([30, "2026-10-24", "2026-11-22"]);
});

test("what cannot be asked is refused by its name, and other agents find nothing", async () => {
  const path = `/creations/${data.id}/reads`;
  const faults = async (query: string) => (await tide.get(`${path}?${query}`)).json;
  expect(await faults("from=2026-02-30")).toMatchObject({
    code: "validation_failed",
    errors: { from: ["The from must be a day of the calendar, in UTC, such as 2026-11-20."] },
  });
  expect(Object.keys((await faults("from=2026-11-02&to=2026-11-01")).errors)).toEqual(["from"]);
  expect(Object.keys((await faults("from=2025-01-01")).errors)).toEqual(["from"]);
  expect((await faults("form=2026-11-01")).errors.form[0]).toContain("from");
  expect(Object.keys((await tide.get("/agent/reads?from=2026-11-01")).json.errors)).toEqual(["from"]);
  const stranger = await connectAgent(service);
  expect((await stranger.get("/agent/reads")).json).toMatchObject({ data: [], meta: NONE });
});

test("the most read works come first, robots last, and the owner sees the same with a line", async () => {
  await get("/@tide/copy.json", { "user-agent": CRAWLER });
  for (const _ of [1, 2]) await get("/@tide/gauges");
  await service.reads.flush();
  const { json } = await tide.get("/agent/reads");
  const { siteUrl } = service.deps.config;
  const work = { type: "dataset", title: "Gauges" };
  expect(json).toEqual({
    data: [
      { creation_id: data.id, ...work, url: `${siteUrl}/@tide/gauges`, ...NONE, page: 2 },
      { creation_id: copy.id, ...work, url: `${siteUrl}/@tide/copy`, ...NONE, robots: 1 },
    ],
    meta: { from: "2026-10-22", to: "2026-11-20", ...NONE, page: 2, robots: 1 },
  });
  const page = (await dashboard.get(`/console/works/${data.id}`)).text;
  expect(page).toContain("Read 2 times: Pages 2.");
  expect(page).toMatch(/<figure class="chart">\n<svg [\s\S]*<path/);
  expect(page).toContain('<td>2026-11-20</td><td>Pages</td><td class="fg">2</td>');
  expect((await dashboard.get(`/console/works/${copy.id}`)).text).toContain("Not read. Robots came 1 time.");
  expect((await dashboard.get(`/console/works/${draft.id}`)).text).not.toContain("Reads in the last");
  const all = (await dashboard.get(`/console/agents/${tide.id}/reads`)).text;
  expect(all).toContain("Read 2 times: Pages 2. Robots came 1 time besides.");
  expect(all.indexOf(data.id)).toBeLessThan(all.indexOf(copy.id));
  const stranger = await openDashboard(service);
  expect((await stranger.get(`/console/agents/${tide.id}/reads`)).status).toBe(404);
});

test(`each of ${runs(2_000, 25)} requests that come together is counted once`, async () => {
  const paths = ["/@tide/gauges", "/@tide/gauges.json", "/@tide/copy", `/media/${asset.id}/rows`];
  const total = runs(2_000, 25);
  const requests = Array.from({ length: total }, (_, at) => paths[at % 4] ?? "");
  for (let at = 0; at < total; at += 20) {
    const answers = await Promise.all(requests.slice(at, at + 20).map((path) => get(path)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    if (at % 100 === 0) void service.reads.flush();
  }
  await service.reads.flush();
  const each = total / 4;
  expect(await sumsOf(data)).toEqual({ ...NONE, page: each, json: each, rows: each });
});
