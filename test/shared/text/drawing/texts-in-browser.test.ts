import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawChart } from "../../../../shared/text/charts/draw-chart.ts";
import { renderChartFigure } from "../../../../shared/text/charts/render-chart-figure.ts";
import { drawFlowchart } from "../../../../shared/text/flowcharts/draw-flowchart.ts";
import { renderFlowchartFigure } from "../../../../shared/text/flowcharts/render-figure.ts";
import { parseFlowchart } from "../../../../shared/text/markdown/flowcharts/parse-flowchart.ts";
import { STYLESHEET } from "../../../../shared/text/stylesheets.ts";
import { GALLERY_CHARTS } from "../../../gallery/charts.ts";
import { GALLERY_FLOWCHARTS } from "../../../gallery/flowcharts.ts";
import { DEEP, some } from "../../../support/depth.ts";
import { SEED } from "../../../support/fixed-seed.ts";
import { isBrowserHere, openTestBrowser } from "../../../support/test-browser.ts";
import { acceptChart, smallBlocks } from "../charts/arbitrary-charts.ts";
import { horizontalBlocks, memberBlocks } from "../charts/arbitrary-members.ts";
import { SIZES } from "../charts/check-drawing.ts";
import { anyFlowchart } from "../flowcharts/generate.ts";
import {
  findMisplaced,
  listFonts,
  OTHER_FONTS,
  openDrawings,
  type SeenDrawing,
  WIDEST_FONT,
} from "./look-at-texts.ts";

const browser = await openTestBrowser();

// Strange scripts take a browser up to 30 ms a drawing in each font.
const [CHARTS, FLOWCHARTS] = DEEP ? [500, 200] : [6, 4];
const MEMBERS = DEEP ? 150 : 8;
const FONTS = DEEP ? [WIDEST_FONT, ...OTHER_FONTS] : [WIDEST_FONT];
const SMALL = anyFlowchart({ leastNodes: 1, mostNodes: 12, leastConnections: 0, mostConnections: 16 });

describe.skipIf(!isBrowserHere)("in every font that a reader may have", () => {
  test.each<[what: string, drawings: SeenDrawing[], fonts?: readonly string[]]>([
    ["charts of the gallery", some(GALLERY_CHARTS).flatMap(({ name, source }) => drawBoth(name, source))],
    ["flowcharts of the gallery", some(GALLERY_FLOWCHARTS).map(drawGalleryFlowchart)],
    [
      `${CHARTS} generated charts`,
      fc.sample(smallBlocks, { numRuns: CHARTS, seed: SEED }).flatMap((source) => drawBoth(source, source)),
    ],
    [
      `${2 * MEMBERS} generated charts with horizontal bars, scales, axes and orders`,
      [horizontalBlocks, memberBlocks].flatMap((blocks) =>
        fc.sample(blocks, { numRuns: MEMBERS, seed: SEED }).flatMap((source) => drawBoth(source, source)),
      ),
      [WIDEST_FONT],
    ],
    [
      `${FLOWCHARTS} generated flowcharts`,
      fc.sample(SMALL, { numRuns: FLOWCHARTS, seed: SEED }).map((flowchart) => ({
        name: JSON.stringify(flowchart),
        svg: drawFlowchart(flowchart, { idPrefix: "f" }),
      })),
    ],
  ])(
    "no text of %s leaves its frame or its node, and none lies on another",
    async (_, drawings, wanted = FONTS) => {
      const page = await openDrawings(browser, drawings);
      const fonts = await listFonts(page, wanted);
      const missing = wanted.filter((font) => !fonts.includes(font));
      if (missing.length > 0) console.warn(`LEFT OUT: texts are not measured in ${missing.join(", ")}.`);
      const faults: string[] = [];
      for (const font of [null, ...fonts]) faults.push(...(await findMisplaced(page, drawings, font)));
      await page.close();
      expect(faults).toEqual([]);
    },
    240_000,
  );

  test("the texts of drawings stand the same within a text from right to left", async () => {
    const source = GALLERY_CHARTS.find(({ source }) => source.includes('"color"'))?.source ?? "";
    const flowchart = parseFlowchart("flowchart LR\nA[ابدأ] -->|نعم| B[Publish the result]");
    if (!flowchart.ok) throw new Error("the flowchart is refused");
    const place = { idPrefix: "d", number: 1 };
    const figures = `${renderChartFigure(acceptChart(source), place)}${renderFlowchartFigure(flowchart.flowchart, place)}`;
    const page = await browser.newPage();
    const listPlaces = async (direction: string): Promise<number[]> => {
      await page.setContent(
        `<style>${STYLESHEET.css}</style><div class="prose" dir="${direction}">${figures}</div>`,
      );
      return await page.evaluate(`[...document.querySelectorAll("svg text")].map((text) => {
        const [own, all] = [text, text.ownerSVGElement].map((one) => one.getBoundingClientRect().left);
        return Math.round(own - all);
      })`);
    };
    const usual = await listPlaces("ltr");
    expect(usual.length).toBeGreaterThan(20);
    expect(await listPlaces("rtl")).toEqual(usual);
    await page.close();
  });

  test("in forced colours a rule stands out from the bars that it crosses, and the grid stands back", async () => {
    const chart = acceptChart(
      GALLERY_CHARTS.find(({ name }) => name === "annotations on bars")?.source ?? "",
    );
    const figure = renderChartFigure(chart, { idPrefix: "d", number: 1 });
    const page = await browser.newPage({ forcedColors: "active" });
    await page.setContent(`<style>${STYLESHEET.css}</style>${figure}`);
    const [bar, rule, paper, ground, grid] = await page.evaluate<string[]>(`(() => {
      const lookOf = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
      return [
        lookOf(".wide rect:not(.soft)", "fill"),
        lookOf('.wide line[stroke-dasharray="5 4"]', "stroke"),
        lookOf(".wide line.paper", "stroke"),
        lookOf("html", "backgroundColor"),
        lookOf(".wide .grid", "opacity"),
      ];
    })()`);
    expect(rule).toBe(bar);
    expect([paper, paper === rule]).toEqual([ground, false]);
    expect(Number(grid)).toBeLessThan(0.5);
    await page.close();
  });
});

function drawBoth(name: string, source: string): SeenDrawing[] {
  const chart = acceptChart(source);
  return SIZES.map((size) => ({ name: `${name}, ${size}`, svg: drawChart(chart, { idPrefix: "c", size }) }));
}

function drawGalleryFlowchart({ name, source }: { name: string; source: string }): SeenDrawing {
  const verdict = parseFlowchart(source);
  if (!verdict.ok) throw new Error(`${name} is refused`);
  return { name, svg: drawFlowchart(verdict.flowchart, { idPrefix: "f" }) };
}
