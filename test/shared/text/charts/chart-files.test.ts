import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import Papa from "papaparse";
import { describe, expect, test } from "vitest";
import { tableOfChart, writeChartCsv } from "../../../../shared/text/charts/chart-words.ts";
import { drawChartFile } from "../../../../shared/text/charts/draw-chart-file.ts";
import type { Chart } from "../../../../shared/text/markdown/charts/chart.ts";
import { parseChart } from "../../../../shared/text/markdown/charts/parse-chart.ts";
import { GALLERY_CHARTS } from "../../../gallery/charts.ts";
import { runs } from "../../../support/depth.ts";
import { SEED } from "../../../support/fixed-seed.ts";
import { acceptChart, smallBlocks } from "./arbitrary-charts.ts";
import { CREDIT } from "./check-drawing.ts";

const HOSTILE = [
  "</title><script>alert(1)</script>",
  ']]> --> <?xml version="1.0"?> <!DOCTYPE a [<!ENTITY b "c">]>',
  'a" class="g1" onload="alert(1)',
  "&amp; &#0; &lt;b&gt;",
  "\u202eright to left\u2066",
  "W".repeat(120),
  "日本語 🌊 قهوة Ελληνικά",
];

function chartOf(block: object): Chart {
  return acceptChart(JSON.stringify(block));
}

const titled = (title: string) =>
  chartOf({
    ...{ mark: "bar", title, description: title },
    data: { values: [{ [title]: title, y: 1, group: title }] },
    encoding: {
      x: { field: title, type: "nominal" },
      y: { field: "y", type: "quantitative" },
      color: { field: "group", type: "nominal" },
    },
  });

/** Throws where a file is no XML, has a class or fetches anything. */
function expectSound(svg: string): void {
  const valid = XMLValidator.validate(svg);
  if (valid !== true) throw new Error(JSON.stringify(valid));
  // Within tags alone: a text may speak of anything.
  const tags = (svg.match(/<[^>]*>/g) ?? []).join("");
  expect(tags).not.toMatch(/ class=| style=|<style|<script|<image|<use|href|url\(|<foreignObject| on\w+=/);
  expect(svg).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<svg [^>]*>.*<\/svg>\n$/s);
}

describe("the SVG file of a chart", () => {
  test("is sound for every chart of the gallery and for hundreds of generated ones", () => {
    for (const { source } of GALLERY_CHARTS) expectSound(drawChartFile(acceptChart(source), CREDIT));
    fc.assert(
      fc.property(smallBlocks, (source) => expectSound(drawChartFile(acceptChart(source), CREDIT))),
      { numRuns: runs(300), seed: SEED },
    );
  });

  test.each(HOSTILE)("says hostile words as words: %j", (words) => {
    const credit = { ...CREDIT, workTitle: words, agentName: words };
    const svg = drawChartFile(titled(words), credit);
    expectSound(svg);
    const parser = new XMLParser({ processEntities: true, trimValues: false });
    const about = parser.parse(svg).svg.metadata["rdf:RDF"]["rdf:Description"];
    expect(about["dc:title"]).toBe(words);
    expect(about["dc:creator"]).toBe(words);
    expect(about["dc:identifier"]).toBe(`sha256:${CREDIT.checksum}`);
  });

  test("has a ground of its own under everything, and every text in its frame", () => {
    const svg = drawChartFile(titled("Water"), { ...CREDIT, workTitle: "Long ".repeat(60) });
    const [, x, y, width, height] = /viewBox="(\S+) (\S+) (\S+) (\S+)"/.exec(svg) ?? [];
    const ground = `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#fbfaf6"/>`;
    expect(svg).toContain(`</metadata>${ground}`);
    const last = Math.max(...[...svg.matchAll(/<text[^>]* y="([\d.]+)"/g)].map(([, at]) => Number(at)));
    expect(last).toBeLessThan(Number(y) + Number(height));
    expect(svg.match(/>[^<]*Source: Tide Watch/g)).toHaveLength(1);
  });
});

describe("the CSV file of a chart", () => {
  test("has the cells of the table beside the chart, by another reader of CSV", () => {
    fc.assert(
      fc.property(smallBlocks, (source) => {
        const chart = acceptChart(source);
        const csv = writeChartCsv(chart);
        expect(csv.endsWith("\r\n")).toBe(true);
        const [head, ...rows] = Papa.parse<string[]>(csv.slice(0, -2), {
          newline: "\r\n",
          delimiter: ",",
        }).data;
        const { fields, rows: cells } = tableOfChart(chart);
        if (new Set(fields).size < fields.length) return;
        expect(head).toEqual(fields);
        expect(rows).toEqual(cells.map((row) => row.map((cell) => cell ?? "")));
      }),
      { numRuns: runs(300), seed: SEED },
    );
  });

  test("has the digits of numbers that no double holds", () => {
    const [mark, encoding] = [
      '"mark": "point"',
      '"encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}}',
    ];
    const values = '[{"x": 12345678901234567891, "y": 0.12345678901234567890}, {"x": 1.50, "y": 1e-400}]';
    const csv = "x,y\r\n12345678901234567891,0.12345678901234567890\r\n1.5,1e-400\r\n";
    expect(writeChartCsv(acceptChart(`{${mark}, "data": {"values": ${values}}, ${encoding}}`))).toBe(csv);
    const bound = `{${mark}, "data": {"from": {"asset_id": "${"0".repeat(26)}", "content_sha256": "${"0".repeat(64)}"}}, ${encoding}}`;
    const rows = [
      ["12345678901234567891", "0.12345678901234567890"],
      ["1.50", "1e-400"],
    ];
    const parsed = parseChart(bound, { format: "csv", columns: ["x", "y"], rows });
    expect(parsed.ok && writeChartCsv(parsed.chart)).toBe(csv);
  });

  test("has a field that two encodings use once", () => {
    const chart = chartOf({
      mark: "point",
      data: { values: [{ v: 1 }, { v: 2.5 }] },
      encoding: { x: { field: "v", type: "quantitative" }, y: { field: "v", type: "quantitative" } },
    });
    expect(writeChartCsv(chart)).toBe("v\r\n1\r\n2.5\r\n");
  });

  test("takes the names of fields, not those of axes, and leaves blanks empty", () => {
    const chart = chartOf({
      mark: "line",
      data: {
        values: [
          { 'd "x", y': "2026-01", v: 1 },
          { 'd "x", y': "2026-02", v: null },
        ],
      },
      encoding: {
        x: { field: 'd "x", y', type: "temporal", title: "Day" },
        y: { field: "v", type: "quantitative", title: "Metres" },
      },
    });
    expect(writeChartCsv(chart)).toBe('"d ""x"", y",v\r\n2026-01,1\r\n2026-02,\r\n');
  });
});
