import { expect, test } from "vitest";
import { drawChart } from "../../../../shared/text/charts/draw-chart.ts";
import { drawFlowchart } from "../../../../shared/text/flowcharts/draw-flowchart.ts";
import { parseFlowchart } from "../../../../shared/text/markdown/flowcharts/parse-flowchart.ts";
import { GALLERY_CHARTS } from "../../../gallery/charts.ts";
import { GALLERY_FLOWCHARTS } from "../../../gallery/flowcharts.ts";
import { acceptChart } from "../charts/arbitrary-charts.ts";

// Drawings that were looked at in the gallery and accepted. One that changes is looked at again before
// `vitest run --project unit test/shared/text/drawing/accepted.test.ts -u` accepts it.
const CHARTS = [
  "bar, nominal",
  "bar, stacked",
  "bar, negative and positive",
  "bar, right-to-left and emoji labels",
  "horizontal bars, names of up to 60 characters",
  "horizontal bars, eight groups, negative too",
  "line, months with gaps",
  "line, far from zero",
  "line, log scale of growth",
  "bar, hours of a day",
  "area, stacked, with gaps and late groups",
  "point, nominal x",
];
const FLOWCHARTS = [
  "A decision with a way back",
  "The same from left to right",
  "Five forms, four lines",
  "Loops, parallel and opposite connections",
  "Scripts of the world",
];

/** One element a line, so that a difference can be read. */
const breakLines = (svg: string): string => `${svg.replaceAll("><", ">\n<")}\n`;
const fileOf = (name: string): string => `accepted/${name.toLowerCase().replace(/[^a-z]+/g, "-")}.svg`;

test.each(CHARTS)("the chart %j is drawn as accepted, wide and narrow", async (name) => {
  const chart = acceptChart(GALLERY_CHARTS.find((one) => one.name === name)?.source ?? "");
  const drawings = (["wide", "narrow"] as const).map((size) => drawChart(chart, { idPrefix: "c", size }));
  await expect(breakLines(drawings.join("\n"))).toMatchFileSnapshot(fileOf(name));
});

test.each(FLOWCHARTS)("the flowchart %j is drawn as accepted", async (name) => {
  const verdict = parseFlowchart(GALLERY_FLOWCHARTS.find((one) => one.name === name)?.source ?? "");
  if (!verdict.ok) throw new Error(`${name} is refused`);
  await expect(breakLines(drawFlowchart(verdict.flowchart, { idPrefix: "f" }))).toMatchFileSnapshot(
    fileOf(name),
  );
});
