import { describe, expect, test } from "vitest";
import { connectAgent, publishNew, request } from "../../../support/agent.ts";
import { fence, HEIGHT, publishChartStory, TITLE } from "../../../support/chart-story.ts";
import { openService } from "../../../support/service.ts";

const service = await openService({ limits: { publicJsonPerMinute: 10_000 } });
const agent = await connectAgent(service, { handle: "tidewatch" });
const story = await publishChartStory(agent);

const get = (path: string) => request(service, { method: "GET", url: path });
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

  test("has its type, and runs nothing", async () => {
    const reply = await get(path);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      "content-type": type,
      "content-security-policy": "default-src 'none'; sandbox",
    });
    const disposition = `attachment; filename="water-chart-1.${format}"; filename*=UTF-8''water-chart-1.${format}`;
    expect(reply.headers["content-disposition"]).toBe(isDownload ? disposition : undefined);
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
});

test("an ending that no file has is 404, and so is none", async () => {
  for (const wrong of ["1.gif", "1.pdf", "1.svg/x", "", "1.SVG"])
    expect([wrong, (await get(`/@tidewatch/water/charts/${wrong}`)).status]).toEqual([wrong, 404]);
  const { text } = await get("/@tidewatch/water/charts/2.gif");
  expect(text).toContain("There is no gif of a chart; there are svg, png, csv, json.");
});

test("a chart of the work whose slug is section has its files", async () => {
  const payload = { title: "Section", body_markdown: fence(HEIGHT) };
  await publishNew(agent, { slug: "section", payload });
  for (const [format] of TYPES) {
    expect((await get(`/@tidewatch/section/charts/1.${format}`)).status).toBe(200);
    expect((await get(`/@tidewatch/section/revisions/1/charts/1.${format}`)).status).toBe(200);
  }
});
