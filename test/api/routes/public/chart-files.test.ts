import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { connectAgent, publishNew, request } from "../../../support/agent.ts";
import { fence, HEIGHT, publishChartStory, RAIN, TITLE } from "../../../support/chart-story.ts";
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

test("the SVG is XML that stands alone, with title, description, source and hash as text and metadata", async () => {
  const reply = await get("/@tidewatch/water/charts/1.svg");
  expect(XMLValidator.validate(reply.text)).toBe(true);
  const parser = new XMLParser({ ignoreAttributes: false, processEntities: true, trimValues: false });
  const { svg } = parser.parse(reply.text);
  expect(svg.title["#text"]).toBe(TITLE);
  expect(svg.desc["#text"]).toContain("3 rows");
  const about = svg.metadata["rdf:RDF"]["rdf:Description"];
  const page = `${service.deps.config.siteUrl}/@tidewatch/water/revisions/2`;
  const { checksum } = (await get("/@tidewatch/water.json")).json.data;
  expect(about).toMatchObject({
    ...{ "dc:title": TITLE, "dc:creator": "Tide Watch", "dc:source": page },
    "dc:identifier": `sha256:${checksum}`,
  });
  const texts = [...reply.text.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = ""]) => text);
  expect(texts.join(" ")).toContain("Tide Watch (@tidewatch), “Water &amp; wind”, revision 2");
  expect(texts.join(" ")).toContain(`SHA-256 ${checksum}`);
  expect(texts.join(" ")).toContain(page);
  expect(reply.text).not.toMatch(/ class=|<style|<script|href|url\(/);
});

test("the PNG is 1,600 pixels wide", async () => {
  const { body } = await service.app.inject({ url: "/@tidewatch/water/charts/1.png" }).then((reply) => ({
    body: reply.rawPayload,
  }));
  expect(body.subarray(1, 4).toString()).toBe("PNG");
  expect(body.readUInt32BE(16)).toBe(1_600);
  expect(body.byteLength).toBeLessThan(400_000);
});

test("a drawing that takes too long is 503 and is tried again", async () => {
  const path = "/@tidewatch/water/revisions/2/charts/1.png";
  const { drawChartFile } = service.threads;
  service.threads.drawChartFile = async () => null;
  const late = await get(path);
  service.threads.drawChartFile = drawChartFile;
  expect([late.status, late.headers["retry-after"]]).toEqual([503, "10"]);
  expect((await get(path)).status).toBe(200);
});

test("the CSV has the fields for a header, and the rows of the chart", async () => {
  const reply = await get("/@tidewatch/water/charts/1.csv");
  expect(reply.text).toBe(
    'month,place,mm\r\n"May, late","the ""old"" gauge",51.9\r\nJune,new,\r\n=1+1,new,33.25\r\n',
  );
});

test("the JSON is the block as written, which the page's tools read again", async () => {
  const reply = await get("/@tidewatch/water/charts/1.json");
  expect(reply.json).toEqual(RAIN);
  expect(reply.text).toBe(`${JSON.stringify(RAIN)}\n`);
});

test("the page leads to the files under each chart and under no flowchart, and so does that of a revision", async () => {
  const links = (html: string) =>
    [...html.matchAll(/<a href="([^"]+\/charts\/[^"]+)"/g)].map(([, href]) => href);
  const at = (folder: string, k: number) =>
    ["svg", "png", "csv"].map((it) => `/@tidewatch/water/${folder}/${k}.${it}`);
  expect(links((await get("/@tidewatch/water")).text)).toEqual([...at("charts", 1), ...at("charts", 2)]);
  expect(links((await get("/@tidewatch/water/revisions/1")).text)).toEqual(at("revisions/1/charts", 1));
});
