import { describe, expect, test } from "vitest";
import { connectAgent, publishNew, request } from "../../../support/agent.ts";
import { fence, HEIGHT, publishChartStory, TITLE } from "../../../support/chart-story.ts";
import { openService } from "../../../support/service.ts";
import { act } from "../../../support/work-acts.ts";

const service = await openService();
const site = service.deps.config.siteUrl;
const agent = await connectAgent(service, { handle: "tidewatch" });
await publishChartStory(agent);

const ask = (query: Record<string, string>) =>
  request(service, { method: "GET", url: `/oembed?${new URLSearchParams(query)}` });
const at = (path: string) => `${site}/@tidewatch/${path}`;

const AUTHOR = {
  version: "1.0",
  author_name: "Tide Watch",
  author_url: `${site}/@tidewatch`,
  provider_name: "Broadsheet",
  provider_url: `${site}/`,
  cache_age: 3600,
};

describe("a chart", () => {
  test("is rich: one frame with its page, and its picture", async () => {
    const reply = await ask({ url: at("water/charts/1") });
    expect([reply.status, reply.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    expect(reply.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=60",
    });
    const { html, height, thumbnail_height, ...others } = reply.json;
    expect(others).toEqual({
      ...{ ...AUTHOR, type: "rich", title: TITLE, width: 680 },
      ...{ thumbnail_url: `${at("water/charts/1")}.png?width=1200`, thumbnail_width: 1200 },
    });
    const title = TITLE.replace(
      /[&<>"]/g,
      (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter] ?? "&quot;",
    );
    expect(html).toBe(
      `<iframe src="${at("water/charts/1")}" title="${title}" width="680" height="${height}" loading="lazy" style="border:0"></iframe>`,
    );
    const { rawPayload: png } = await service.app.inject(
      `${new URL(others.thumbnail_url).pathname}?width=1200`,
    );
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, thumbnail_height]);
  });

  test("of a revision is that revision's, and so is its picture", async () => {
    const { json } = await ask({ url: at("water/revisions/1/charts/1") });
    expect(json.html).toContain(`src="${at("water/revisions/1/charts/1")}"`);
    expect(json.thumbnail_url).toBe(`${at("water/revisions/1/charts/1")}.png?width=1200`);
  });

  test("fits into maxwidth and maxheight; a picture that does not is left out", async () => {
    const url = at("water/charts/1");
    const { json: wide } = await ask({ url, maxwidth: "2000", maxheight: "2000" });
    expect([wide.width, wide.thumbnail_width]).toEqual([680, 1200]);
    const { json: narrow } = await ask({ url, maxwidth: "320" });
    expect(narrow.width).toBe(320);
    expect(narrow.html).toContain(`width="320" height="${narrow.height}"`);
    const { json: least } = await ask({ url, maxwidth: "1" });
    expect([least.width, least.height > 100 && least.height < 1_000]).toEqual([1, true]);
    const { json: low } = await ask({ url, maxheight: "200" });
    expect([low.width, low.height]).toEqual([680, 200]);
    for (const { thumbnail_url, thumbnail_width, thumbnail_height } of [narrow, low])
      expect([thumbnail_url, thumbnail_width, thumbnail_height]).toEqual([undefined, undefined, undefined]);
  });

  test.each(["0", "-5", "1.5", "x", "", "1e3", "0320"])("ignores maxwidth=%s", async (maxwidth) => {
    expect((await ask({ url: at("water/charts/1"), maxwidth })).json.width).toBe(680);
  });
});

test("a work is a link with its card; the answer of an unlisted one is for no search engine", async () => {
  const { json, headers } = await ask({ url: at("water"), referrer: "x", dnt: "1" });
  expect(headers["x-robots-tag"]).toBeUndefined();
  expect(json).toEqual({
    ...{ ...AUTHOR, type: "link", title: "Water & wind" },
    ...{
      thumbnail_url: expect.stringMatching(/\/art\/[0-9a-f]{64}\.png$/),
      thumbnail_width: 1200,
      thumbnail_height: 630,
    },
  });
  const payload = { title: "Quiet", body_markdown: fence(HEIGHT) };
  await publishNew(agent, { slug: "quiet", payload }, { visibility: "unlisted" });
  for (const path of ["quiet", "quiet/charts/1", "quiet/charts/2"])
    expect((await ask({ url: at(path) })).headers["x-robots-tag"]).toBe("noindex");
});

test("a retracted work says so in its title, and one that is taken down is 404", async () => {
  const work = await publishNew(agent, {
    slug: "tides",
    payload: { title: "Tides", body_markdown: fence(HEIGHT) },
  });
  await act(agent, work, "retract", { reason: "Broken." });
  expect((await ask({ url: at("tides") })).json.title).toBe("Retracted: Tides");
  expect((await ask({ url: at("tides/charts/1") })).json.title).toMatch(/^Retracted: Line chart/);
  await act(agent, work, "unpublish");
  for (const path of ["tides", "tides/charts/1", "tides/revisions/1/charts/1"]) {
    const { status, json } = await ask({ url: at(path) });
    expect([status, json.code]).toEqual([404, "not_found"]);
  }
});

test("an address in another spelling is the same", async () => {
  const { pathname } = new URL(at("water/charts/1"));
  for (const url of [
    `${site}${pathname}/`,
    `${site}${pathname}?utm_source=mail#part`,
    `${site}/%40tidewatch/water/charts/1`,
    `${site.replace("http:", "https:")}${pathname}`,
  ])
    expect([url, (await ask({ url })).json.type]).toEqual([url, "rich"]);
});

describe("refusals", () => {
  test.each([
    ["none", undefined],
    ["empty", ""],
    ["no address", "water/charts/1"],
    ["another site's", "https://elsewhere.example/@tidewatch/water"],
    ["another port's", "http://localhost:1/@tidewatch/water"],
    ["another scheme's", "ftp://localhost:3000/@tidewatch/water"],
    ["the front page", `${site}/`],
    ["an agent's", `${site}/@tidewatch`],
    ["a work that there is not", at("nothing")],
    ["a chart that there is not", at("water/charts/3")],
    ["a revision that there is not", at("water/revisions/9/charts/1")],
    ["a file of a chart", at("water/charts/1.svg")],
    ["a revision", at("water/revisions/1")],
  ])("url is %s: 404, whatever the format", async (_, url) => {
    for (const format of ["json", "xml", "yaml"]) {
      const reply = await ask({ ...(url === undefined ? {} : { url }), format });
      expect([reply.status, reply.json.code]).toEqual([404, "not_found"]);
      expect(reply.json.message).toMatch(/^[A-Zu].*\.$/);
    }
  });

  test("url given twice is 404", async () => {
    const url = encodeURIComponent(at("water"));
    const reply = await request(service, { method: "GET", url: `/oembed?url=${url}&url=${url}` });
    expect([reply.status, reply.json.code]).toEqual([404, "not_found"]);
  });

  test("XML is 501, another format 422", async () => {
    const url = at("water");
    expect((await ask({ url, format: "json" })).status).toBe(200);
    const xml = await ask({ url, format: "xml" });
    expect([xml.status, xml.json.code]).toEqual([501, "http_error"]);
    for (const format of ["yaml", "", "JSON"]) {
      const other = await ask({ url, format });
      expect([other.status, other.json.code, Object.keys(other.json.errors)]).toEqual([
        422,
        "validation_failed",
        ["format"],
      ]);
    }
  });
});
