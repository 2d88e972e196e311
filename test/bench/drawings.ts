import { Graph, layout } from "@dagrejs/dagre";
import { drawChart } from "../../shared/text/charts/draw-chart.ts";
import { drawBlock } from "../../shared/text/drawing/draw-block.ts";
import { drawFlowchart } from "../../shared/text/flowcharts/draw-flowchart.ts";
import { layOutFlowchart } from "../../shared/text/flowcharts/geometry.ts";
import type { Chart } from "../../shared/text/markdown/charts/chart.ts";
import { parseChart } from "../../shared/text/markdown/charts/parse-chart.ts";
import type { Flowchart } from "../../shared/text/markdown/flowcharts/flowchart.ts";
import { parseFlowchart } from "../../shared/text/markdown/flowcharts/parse-flowchart.ts";
import { LONG, noise, times, writeChart, writeDay } from "../gallery/chart-recipes.ts";
import { drawWithVega, type MermaidPage, openMermaidPage } from "../gallery/peers.ts";
import { openPeer, present } from "./peers.ts";
import { printRace, race } from "./race.ts";
import { printMeasurements } from "./report.ts";

const CHARTS_A_ROUND = 10;
const CHART_ROUNDS = 15;
const FLOWCHART_ROUNDS = 12;
const HOSTILE_ROUNDS = 9;
const HOSTILE_MS = 500;

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

/** Prints each race; gives the targets of the specification of drawings that were missed. */
export async function run(): Promise<string[]> {
  return [
    ...(await raceCharts("Stacked bars of 100 rows", BARS, {
      marks: 100,
      mark: "bar",
      most: 0.1,
      goal: 0.08,
      whole: 0.2,
    })),
    ...(await raceCharts("Four lines of 500 rows", LINES, {
      marks: 4,
      mark: "line mark",
      most: 0.12,
      goal: 0.1,
      whole: 0.3,
    })),
    ...(await raceFlowcharts()),
    ...measureHostile(),
  ];
}

interface ChartTargets {
  /** So many marks both drawings must hold, the peer's by their role. */
  marks: number;
  mark: string;
  most: number;
  goal: number;
  /** For the whole way from the block to the figure. */
  whole: number;
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
      { name: "block to figure", run: () => repeat(() => drawBlock({ kind: "Chart", number: 1, source })) },
      { name: "vega-lite + vega", run: () => repeat(() => drawWithVega(source)) },
    ],
    CHART_ROUNDS,
  );
  const peer = "vega-lite + vega";
  return printRace(`${title}, ${CHARTS_A_ROUND} times`, times, [
    { ours: "drawing", peer, most: targets.most },
    { ours: "drawing", peer, most: targets.goal, isReach: true },
    // Read from its text, drawn wide and narrow, with the table.
    { ours: "block to figure", peer, most: targets.whole, isReach: true },
  ]);
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
  const texts = times(6, (seed) => writeGraph(seed));
  const flowcharts = texts.map(readFlowchart);
  const graphs = flowcharts.map(sizeForPeer);
  const mermaid = await openPeer("Mermaid in Chromium", openMermaidPage);
  try {
    if (mermaid !== null) await expectWhole(mermaid, texts[0] ?? "");
    // All of one round draw the same graph.
    let turn = 0;
    const next = <Item>(items: readonly Item[]): Item =>
      items[Math.floor(turn++ / candidates.length) % items.length] as Item;
    const candidates = present([
      { name: "layout and SVG", run: () => drawFlowchart(next(flowcharts), { idPrefix: "f" }) },
      { name: "dagre's bare layout", run: () => layout(next(graphs)()) },
      mermaid && { name: "mermaid in Chromium", run: () => mermaid.draw(next(texts)) },
    ]);
    const found = await race(candidates, FLOWCHART_ROUNDS);
    return printRace("A flowchart of 50 nodes and 100 connections", found, [
      { ours: "layout and SVG", peer: "dagre's bare layout", most: 1.4 },
      { ours: "layout and SVG", peer: "mermaid in Chromium", most: 0.2 },
    ]);
  } finally {
    await mermaid?.close();
  }
}

async function expectWhole(mermaid: MermaidPage, text: string): Promise<void> {
  const nodes = (await mermaid.draw(text)).split('class="node ').length - 1;
  if (nodes !== 50) throw new Error(`mermaid drew ${nodes} nodes instead of 50`);
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
function sizeForPeer(flowchart: Flowchart): () => Graph {
  const { nodes } = layOutFlowchart(flowchart);
  return () => {
    const graph = new Graph({ multigraph: true });
    graph.setGraph({ rankdir: "TB" });
    for (const { node, width, height } of nodes) graph.setNode(node.id, { width, height });
    for (const [index, { from, to, label }] of flowchart.connections.entries()) {
      graph.setEdge(from, to, label === "" ? {} : { width: 60, height: 17, labelpos: "c" }, `e${index}`);
    }
    return graph;
  };
}

/** The worst that validation lets through: a chart full of long labels, and a graph where all are joined with all. */
function measureHostile(): string[] {
  const wide = "\u{1f469}\u200d\u{1f467}W\u202e".repeat(40);
  const rows = times(500, (index) => ({
    x: `${index} ${LONG}${wide}`,
    y: index,
    c: `${index % 8} ${LONG}${wide}`,
  }));
  const chart = writeChart("hostile", {
    mark: "bar",
    x: ["x", "nominal", LONG],
    y: ["y", LONG],
    color: ["c", LONG],
    rows,
  });
  const labels = times(100, (index) => `${LONG} ${index}`);
  const dense = times(
    100,
    (index) => `  n${index % 50}{"${LONG} ${index % 50}"} -->|"${labels[index]}"| n${(index * 7 + 13) % 50}`,
  );
  const drawings = [
    { name: "500 rows of long labels", kind: "Chart" as const, source: chart.source },
    {
      name: "50 nodes joined with each other",
      kind: "Flowchart" as const,
      source: ["flowchart LR", ...dense].join("\n"),
    },
  ];
  const measurements = drawings.map(({ name, kind, source }) => ({
    name,
    target: HOSTILE_MS,
    milliseconds: times(HOSTILE_ROUNDS, () => timeBlock(kind, source)),
  }));
  return printMeasurements("Hostile blocks, from text to figure", measurements);
}

function timeBlock(kind: "Chart" | "Flowchart", source: string): number {
  const startedAt = performance.now();
  if (drawBlock({ kind, number: 1, source }) === null) throw new Error("the hostile block is refused");
  return performance.now() - startedAt;
}
