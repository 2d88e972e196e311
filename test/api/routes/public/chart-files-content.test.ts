import { XMLParser, XMLValidator } from "fast-xml-parser";
import Papa from "papaparse";
import { parse } from "parse5";
import { expect, test } from "vitest";
import { connectAgent, type Json, request } from "../../../support/agent.ts";
import { publishChartStory, RAIN, TITLE } from "../../../support/chart-story.ts";
import { openService } from "../../../support/service.ts";

const service = await openService({ limits: { publicJsonPerMinute: 10_000 } });
await publishChartStory(await connectAgent(service, { handle: "tidewatch" }));

const get = (path: string) => request(service, { method: "GET", url: path });

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

test("the CSV has the fields for a header, and the rows of the table on the page", async () => {
  const reply = await get("/@tidewatch/water/charts/1.csv");
  expect(reply.text).toBe(
    'month,place,mm\r\n"May, late","the ""old"" gauge",51.9\r\nJune,new,\r\n=1+1,new,33.25\r\n',
  );
  const page = (await get("/@tidewatch/water")).text;
  for (const [index, table] of readTables(page).entries()) {
    const { text } = await get(`/@tidewatch/water/charts/${index + 1}.csv`);
    const [, ...rows] = Papa.parse<string[]>(text.trimEnd()).data;
    expect(table.rows).toEqual(rows);
  }
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

/** The tables of the charts of a page, read by a parser of HTML. */
function readTables(html: string): { rows: string[][] }[] {
  const find = (node: Json, name: string): Json[] =>
    (node.childNodes ?? []).flatMap((child: Json) => [
      ...(child.nodeName === name ? [child] : []),
      ...find(child, name),
    ]);
  const textOf = (node: Json): string =>
    node.nodeName === "#text" ? node.value : (node.childNodes ?? []).map(textOf).join("");
  const figures = find(parse(html), "figure").filter((figure) =>
    figure.attrs.some((attribute: Json) => attribute.value === "chart"),
  );
  return figures.map((figure) => ({
    rows: find(figure, "tbody").flatMap((body) =>
      find(body, "tr").map((row) => find(row, "td").map((cell) => textOf(cell))),
    ),
  }));
}
