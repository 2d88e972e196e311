// Charts beside Vega-Lite, which compiles the same block and draws it as SVG; flowcharts beside the bare layout of dagre.
import { Graph, layout } from "@dagrejs/dagre";
import { drawChart } from "../../shared/text/charts/draw-chart.ts";
import { drawFlowchart } from "../../shared/text/flowcharts/draw-flowchart.ts";
import type { Chart } from "../../shared/text/markdown/charts/chart.ts";
import { parseChart } from "../../shared/text/markdown/charts/parse-chart.ts";
import type { Flowchart } from "../../shared/text/markdown/flowcharts/flowchart.ts";
import { parseFlowchart } from "../../shared/text/markdown/flowcharts/parse-flowchart.ts";
import { noise, times, writeChart, writeDay } from "../gallery/chart-recipes.ts";
import { drawWithVega } from "../gallery/peers.ts";
import { printRace, race } from "./race.ts";

const CHARTS_A_ROUND = 10;
const CHART_ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const FLOWCHART_ROUNDS = Number(process.env.BENCH_ROUNDS ?? 12);

const BARS = writeChart("100 rows in 4 groups", {
  mark: "bar",
  title: "A hundred rows",
  x: ["place", "nominal", "Place"],
  y: ["amount", "Amount"],
  color: ["kind", "Kind"],
  rows: times(100, (index) => ({
    place: `Place ${Math.floor(index / 4)}`,
    kind: `kind ${index % 4}`,
    amount: Math.round(noise(1, index) * 1000),
  })),
}).source;

const LINES = writeChart("500 rows in 4 groups", {
  mark: "line",
  title: "Five hundred rows",
  x: ["day", "temporal", "Day"],
  y: ["price", "Price"],
  color: ["stock", "Stock"],
  rows: times(500, (index) => ({
    day: writeDay(Math.floor(index / 4)),
    stock: `stock ${index % 4}`,
    price: Math.round(100 + (index % 4) * 40 + noise(2, index) * 30),
  })),
}).source;

const writeGauges = (gauges: number) =>
  writeChart(`${gauges} gauges`, {
    mark: "line",
    title: "Water levels",
    x: ["day", "temporal", "Day"],
    y: ["level", "Level (cm)"],
    channels: gauges === 1 ? {} : { facet: { field: "gauge", type: "nominal" } },
    rows: times(20 * gauges, (index) => ({
      day: writeDay(index % 20),
      gauge: `Gauge ${Math.floor(index / 20)}`,
      level: Math.round(500 + noise(3, index) * 90),
    })),
  }).source;

/** The same bars with their names on y. */
const LYING = turn(BARS);

function turn(source: string): string {
  const { encoding, ...block } = JSON.parse(source);
  return JSON.stringify({ ...block, encoding: { ...encoding, x: encoding.y, y: encoding.x } });
}

const LOG = LINES.replace('"title": "Price"', '"title": "Price", "scale": { "type": "log" }');

/** Races charts against Vega-Lite, small charts against one, and a flowchart. */
export async function run(): Promise<string[]> {
  return [
    ...(await raceCharts("Stacked bars of 100 rows", BARS, {
      marks: 100,
      mark: "bar",
      most: 0.1,
    })),
    ...(await raceCharts("Four lines of 500 rows", LINES, {
      marks: 4,
      mark: "line mark",
      most: 0.12,
    })),
    ...(await raceCharts("The same bars lying", LYING, {
      marks: 100,
      mark: "bar",
      most: 0.08,
    })),
    ...(await raceCharts("Four lines of 500 rows on a log scale", LOG, {
      marks: 4,
      mark: "line mark",
      most: 0.12,
    })),
    ...(await raceSmallCharts()),
    ...(await raceFlowcharts()),
  ];
}

interface ChartTargets {
  /** So many marks both drawings must hold, the peer's by their role. */
  marks: number;
  mark: string;
  most: number;
}

async function raceCharts(title: string, source: string, targets: ChartTargets): Promise<string[]> {
  const chart = readChart(source);
  const ours = drawChart(chart, { idPrefix: "c" });
  const [drawn, theirs] = [countMarks(ours, chart), countRoles(await drawWithVega(source), targets.mark)];
  if (drawn !== targets.marks || theirs !== targets.marks) {
    throw new Error(`${title}: ${drawn} marks by us and ${theirs} by Vega-Lite instead of ${targets.marks}`);
  }
  const times = await race(
    [
      { name: "drawing", run: () => repeat(() => drawChart(chart, { idPrefix: "c" })) },
      { name: "vega-lite + vega", run: () => repeat(() => drawWithVega(source)) },
    ],
    CHART_ROUNDS,
  );
  const peer = "vega-lite + vega";
  return printRace(`${title}, ${CHARTS_A_ROUND} times`, times, [
    { ours: "drawing", peer, most: targets.most },
  ]);
}

/** 24 small charts against one, each of as many rows. */
async function raceSmallCharts(): Promise<string[]> {
  const [ours, peer] = ["24 small charts", "one chart"];
  const [many, one] = [24, 1].map((gauges) => readChart(writeGauges(gauges)));
  const draw = (chart: Chart | undefined) => () => repeat(() => drawChart(chart as Chart, { idPrefix: "c" }));
  const candidates = [
    { name: ours, run: draw(many) },
    { name: peer, run: draw(one) },
  ];
  const found = await race(candidates, CHART_ROUNDS);
  return printRace(`${ours} of 20 rows, ${CHARTS_A_ROUND} times`, found, [{ ours, peer, most: 8 }]);
}

async function repeat(draw: () => unknown): Promise<void> {
  for (let index = 0; index < CHARTS_A_ROUND; index++) await draw();
}

function readChart(source: string): Chart {
  const parsed = parseChart(source);
  if (!parsed.ok) throw new Error("the bench's own chart is refused");
  return parsed.chart;
}

function countMarks(svg: string, chart: Chart): number {
  if (chart.mark === "line")
    return (svg.match(/<path [^>]*fill="none" stroke="currentColor" stroke-width="2.25"/g) ?? []).length;
  return (svg.match(/<rect [^>]*><title>/g) ?? []).length;
}

function countRoles(svg: string, role: string): number {
  return svg.split(`aria-roledescription="${role}"`).length - 1;
}

async function raceFlowcharts(): Promise<string[]> {
  const flowcharts = times(6, (seed) => readFlowchart(writeGraph(seed)));
  // All of one round draw the same graph.
  const next = () => {
    let turn = 0;
    return () => flowcharts[turn++ % flowcharts.length] as Flowchart;
  };
  const [own, bare] = [next(), next()];
  const found = await race(
    [
      { name: "layout and SVG", run: () => drawFlowchart(own(), { idPrefix: "f" }) },
      { name: "dagre's bare layout", run: () => layout(toGraph(bare())) },
    ],
    FLOWCHART_ROUNDS,
  );
  return printRace("A flowchart of 50 nodes and 100 connections", found, [
    { ours: "layout and SVG", peer: "dagre's bare layout", most: 1.5 },
  ]);
}

function readFlowchart(text: string): Flowchart {
  const parsed = parseFlowchart(text);
  if (!parsed.ok) throw new Error("the bench's own flowchart is refused");
  return parsed.flowchart;
}

function writeGraph(seed: number): string {
  const rows = times(50, (index) => `  n${index}["Step ${index}"]`);
  for (let index = 0; index < 100; index++) {
    const from = index < 49 ? Math.floor(index / 2) : Math.floor(noise(seed, index) * 50);
    const to = index < 49 ? index + 1 : Math.floor(noise(seed, index + 1000) * 50);
    rows.push(`  n${from} -->${index % 5 === 0 ? `|route ${index}|` : ""} n${to}`);
  }
  return ["flowchart TD", ...rows].join("\n");
}

/** The same graph as the layout's own users would write it, made anew each time, for a layout changes its graph. */
function toGraph({ nodes, connections }: Flowchart): Graph {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB" });
  for (const { id } of nodes) graph.setNode(id, { width: 90, height: 40 });
  for (const [index, { from, to, label }] of connections.entries())
    graph.setEdge(from, to, label === "" ? {} : { width: 60, height: 17, labelpos: "c" }, `e${index}`);
  return graph;
}
