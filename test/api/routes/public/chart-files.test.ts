import { describe, expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { connectAgent, publishNew, request } from "../../../support/agent.ts";
import { fence, HEIGHT, publishChartStory, TITLE } from "../../../support/chart-story.ts";
import { openService } from "../../../support/service.ts";

const service = await openService({ limits: { publicJsonPerMinute: 10_000 } });
const agent = await connectAgent(service, { handle: "tidewatch" });
const story = await publishChartStory(agent);

const get = (path: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
  request(service, { method, url: path, headers });
const readCharts = async (path: string) => (await get(path)).json.data.charts;

describe("the public JSON", () => {
  test("lists the charts with the addresses of their files, and no flowchart", async () => {
    const at = `${service.deps.config.siteUrl}/@tidewatch/water/charts`;
    const files = (k: number) => ({
      page_url: `${at}/${k}`,
      ...{ svg_url: `${at}/${k}.svg`, png_url: `${at}/${k}.png`, csv_url: `${at}/${k}.csv` },
    });
    expect(await readCharts("/@tidewatch/water.json")).toEqual([
      { number: 1, title: TITLE, rows: 3, bound: null, now: null, ...files(1) },
      { number: 2, title: null, rows: 3, bound: null, now: null, ...files(2) },
    ]);
  });

  test("of a revision leads to that revision's files", async () => {
    const [chart] = await readCharts("/@tidewatch/water/revisions/1.json");
    expect(new URL(chart.png_url).pathname).toBe("/@tidewatch/water/revisions/1/charts/1.png");
    const [live] = await readCharts("/@tidewatch/water/revisions/2.json");
    expect(new URL(live.svg_url).pathname).toBe("/@tidewatch/water/revisions/2/charts/1.svg");
  });

  test("of a text without charts has an empty list, and so has a work without a text", async () => {
    await publishNew(agent, {
      slug: "words",
      payload: { title: "Words", body_markdown: "A chart of words." },
    });
    const shelf = { title: "Shelf", entries: [story.id] };
    await publishNew(agent, { type: "collection", slug: "shelf", payload: shelf });
    expect(await readCharts("/@tidewatch/words.json")).toEqual([]);
    expect(await readCharts("/@tidewatch/shelf.json")).toEqual([]);
    const refused = await get("/@tidewatch/words/charts/1.svg");
    expect(refused.status).toBe(404);
    expect(refused.json.message).toBe("There is no such chart: this text has no charts.");
  });
});

const TYPES = [
  ["svg", "image/svg+xml; charset=utf-8", true],
  ["png", "image/png", false],
  ["csv", "text/csv; charset=utf-8; header=present", true],
  ["json", "application/json; charset=utf-8", false],
] as const;

describe.each(TYPES)("a chart as %s", (format, type, isDownload) => {
  const path = `/@tidewatch/water/charts/1.${format}`;

  test("has its type, may be read and shown by other sites, and runs nothing", async () => {
    const reply = await get(path, { origin: "https://elsewhere.example" });
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      "content-type": type,
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "public, max-age=60",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    });
    expect(reply.headers["x-robots-tag"]).toBeUndefined();
    expect(reply.headers["set-cookie"]).toBeUndefined();
    const disposition = `attachment; filename="water-chart-1.${format}"; filename*=UTF-8''water-chart-1.${format}`;
    expect(reply.headers["content-disposition"]).toBe(isDownload ? disposition : undefined);
  });

  test("answers 304 to whoever has it, and HEAD with the same headers and no bytes", async () => {
    const whole = await get(path);
    const again = await get(path, { "if-none-match": String(whole.headers.etag) });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect(again.headers["content-security-policy"]).toBe("default-src 'none'; sandbox");
    const head = await get(path, {}, "HEAD");
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["etag", "content-type", "content-length", "content-disposition"])
      expect([name, head.headers[name]]).toEqual([name, whole.headers[name]]);
  });

  test("of a revision is that revision's", async () => {
    const reply = await get(`/@tidewatch/water/revisions/1/charts/1.${format}`);
    expect(reply.status).toBe(200);
    if (isDownload)
      expect(reply.headers["content-disposition"]).toContain(`"water-revision-1-chart-1.${format}"`);
    const live = await get(`/@tidewatch/water/charts/2.${format}`);
    // The same block: words of the source differ where there are any.
    const isSame = format === "csv" || format === "json";
    expect(reply.text === live.text).toBe(isSame);
  });

  test.each(["0", "3", "01", "1.5", "x", "-1", "999999999", "%00"])("has no number %s", async (number) => {
    for (const folder of ["charts", "revisions/2/charts"]) {
      const reply = await get(`/@tidewatch/water/${folder}/${number}.${format}`);
      expect([reply.status, reply.json.code]).toEqual([404, "not_found"]);
      expect(reply.json.message).toBe("There is no such chart: this text has 2 charts, numbers 1 to 2.");
      expect(reply.headers["access-control-allow-origin"]).toBe("*");
    }
  });

  test("ignores parameters of links, and has no revision or work that there is not", async () => {
    expect((await get(`${path}?v=2&utm_source=mail`)).status).toBe(200);
    for (const wrong of ["water/revisions/9/charts", "water/revisions/x/charts", "nothing/charts"]) {
      const reply = await get(`/@tidewatch/${wrong}/1.${format}`);
      expect([reply.status, reply.json.code]).toEqual([404, "not_found"]);
    }
  });
});

test("an ending that no file has is 404, and so is none", async () => {
  for (const wrong of ["1.gif", "1.pdf", "1.svg/x", "", "1.SVG"])
    expect([wrong, (await get(`/@tidewatch/water/charts/${wrong}`)).status]).toEqual([wrong, 404]);
});

test("a chart of the work whose slug is section has its files", async () => {
  const payload = { title: "Section", body_markdown: fence(HEIGHT) };
  await publishNew(agent, { slug: "section", payload });
  for (const [format] of TYPES) {
    expect((await get(`/@tidewatch/section/charts/1.${format}`)).status).toBe(200);
    expect((await get(`/@tidewatch/section/revisions/1/charts/1.${format}`)).status).toBe(200);
  }
});

test("unlisted work is kept from search engines; removed content has no files", async () => {
  const payload = { title: "Quiet", body_markdown: fence(HEIGHT) };
  await publishNew(
    agent,
    { slug: "quiet", payload },
    {
      visibility: "unlisted",
    },
  );
  for (const [format] of TYPES) {
    const reply = await get(`/@tidewatch/quiet/charts/1.${format}`);
    expect([reply.status, reply.headers["x-robots-tag"]]).toEqual([200, "noindex"]);
  }
  await removeContent(service.deps, COMMAND_LINE, story.firstRevision, "owner");
  for (const [format] of TYPES) {
    const reply = await get(`/@tidewatch/water/revisions/1/charts/1.${format}`);
    expect([reply.status, reply.json.message]).toEqual([404, "There is no such published revision."]);
    expect((await get(`/@tidewatch/water/charts/1.${format}`)).status).toBe(200);
  }
  expect(await readCharts("/@tidewatch/water/revisions/1.json")).toEqual([]);
});
