import { countNoun } from "../../ground/text.ts";
import { element, formatNumber, isolateIfNeeded, type SvgNode } from "../drawing/svg.ts";
import type { Flowchart } from "../markdown/flowcharts/flowchart.ts";
import { DRAWING_FONT } from "../theme/tokens.ts";
import {
  type DrawnConnection,
  type DrawnNode,
  type FlowchartGeometry,
  layOutFlowchart,
  type Point,
  type Stroke,
} from "./geometry.ts";
import { ARROW_PX } from "./route.ts";
import { fitsPhone, leastWidthClass } from "./rules.ts";
import { CORNER_PX } from "./shapes.ts";
import type { TextBlock } from "./text-block.ts";

/** Draws a flowchart as SVG, whose ids begin with `idPrefix`; without the colours of `FLOWCHART_RULES` it is black. */
export function drawFlowchart(flowchart: Flowchart, { idPrefix }: { idPrefix: string }): string {
  return drawGeometry(layOutFlowchart(flowchart), flowchart, { idPrefix });
}

// With more connections than nodes by this a flowchart hardly fits a phone, and laying it out twice may take long.
const MOST_CROSSWAYS = 8;

/**
 * Draws a flowchart for pages: one that runs across and is too wide for a phone is drawn from top to bottom too, where
 * that fits; the stylesheet shows one of both.
 */
export function drawFlowchartForPages(flowchart: Flowchart, { idPrefix }: { idPrefix: string }): string {
  const geometry = layOutFlowchart(flowchart);
  const turned = fitsPhone(geometry.width) ? null : turnForPhone(flowchart);
  const upright = turned && layOutFlowchart(turned);
  if (turned === null || upright === null || !fitsPhone(upright.width)) {
    return drawGeometry(geometry, flowchart, { idPrefix });
  }
  return (
    drawGeometry(geometry, flowchart, { idPrefix, size: "wide" }) +
    drawGeometry(upright, turned, { idPrefix: `${idPrefix}-n`, size: "narrow" })
  );
}

function turnForPhone(flowchart: Flowchart): Flowchart | null {
  const { direction, nodes, connections } = flowchart;
  const isAcross = direction === "LR" || direction === "RL";
  if (!isAcross || connections.length - nodes.length > MOST_CROSSWAYS) return null;
  return { ...flowchart, direction: "TB" };
}

function drawGeometry(
  geometry: FlowchartGeometry,
  flowchart: Flowchart,
  { idPrefix, size }: { idPrefix: string; size?: "wide" | "narrow" },
): string {
  const { width, height, nodes, connections } = geometry;
  const [titleId, descId] = [`${idPrefix}-title`, `${idPrefix}-desc`];
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    class: size === undefined ? leastWidthClass(width) : `${size} ${leastWidthClass(width)}`,
    "aria-labelledby": `${titleId} ${descId}`,
    "font-family": DRAWING_FONT,
  } as const;
  const labels = connections.flatMap(({ label }) => (label === null ? [] : [drawText(label.text, label.at)]));
  const ink = { fill: "currentColor" } as const;
  return element("svg", attributes, [
    element("title", { id: titleId }, [titleOf(flowchart)]),
    element("desc", { id: descId }, [
      `It runs ${DIRECTIONS[flowchart.direction]}. Every node and connection is listed in the text version.`,
    ]),
    element(
      "g",
      { class: "lines", fill: "none", stroke: "currentColor", "stroke-width": 1.5 },
      connections.map(drawLine),
    ),
    element("g", { class: "heads", ...ink }, connections.flatMap(drawHead)),
    element(
      "g",
      { class: "shapes", fill: "none", stroke: "currentColor", "stroke-width": 1.5 },
      nodes.map(drawShape),
    ),
    element(
      "g",
      { class: "texts", ...ink, "text-anchor": "middle", "font-size": 15 },
      nodes.map((node) => drawText(node.text, node)),
    ),
    element("g", { class: "labels", ...ink, "text-anchor": "middle", "font-size": 13 }, labels),
  ]).markup;
}

function titleOf({ nodes, connections }: Flowchart): string {
  return `Flowchart: ${countNoun(nodes.length, "node")}, ${countNoun(connections.length, "connection")}`;
}

const DIRECTIONS = {
  TB: "from top to bottom",
  BT: "from bottom to top",
  LR: "from left to right",
  RL: "from right to left",
} as const;

const DASH = "6 5";

function drawLine({ connection, strokes }: DrawnConnection): SvgNode {
  const { line } = connection;
  return element("path", {
    class: line,
    d: strokes.map(writeStroke).join(""),
    "stroke-dasharray": line === "dashed" ? DASH : undefined,
    "stroke-width": line === "thick" ? 3.5 : undefined,
  });
}

function writeStroke(stroke: Stroke): string {
  if (stroke.kind === "curve") {
    return `C${writePoint(stroke.first)} ${writePoint(stroke.second)} ${writePoint(stroke.to)}`;
  }
  return `${stroke.kind === "move" ? "M" : "L"}${writePoint(stroke.to)}`;
}

function writePoint({ x, y }: Point): string {
  return `${formatNumber(x)} ${formatNumber(y)}`;
}

function drawHead({ connection, arrow }: DrawnConnection): SvgNode[] {
  if (arrow === null) return [];
  const { base, tip } = arrow;
  const length = Math.hypot(tip.x - base.x, tip.y - base.y) || 1;
  const ahead = { x: (tip.x - base.x) / length, y: (tip.y - base.y) / length };
  const half = connection.line === "thick" ? 6 : 4.5;
  const back = { x: tip.x - ahead.x * ARROW_PX, y: tip.y - ahead.y * ARROW_PX };
  const points = [
    tip,
    { x: back.x - ahead.y * half, y: back.y + ahead.x * half },
    { x: back.x + ahead.y * half, y: back.y - ahead.x * half },
  ];
  return [element("polygon", { class: connection.line, points: points.map(writePoint).join(" ") })];
}

function drawShape(drawn: DrawnNode): SvgNode {
  const { x, y, width, height } = drawn;
  const { form } = drawn.node;
  if (form === "circle") return element("circle", { class: form, cx: x, cy: y, r: width / 2 });
  if (form === "decision") {
    const corners = [
      { x, y: y - height / 2 },
      { x: x + width / 2, y },
      { x, y: y + height / 2 },
      { x: x - width / 2, y },
    ];
    return element("polygon", {
      class: form,
      points: corners.map(writePoint).join(" "),
      "stroke-linejoin": "round",
    });
  }
  const rx = form === "stadium" ? height / 2 : form === "rounded" ? CORNER_PX : 2;
  return element("rect", { class: form, x: x - width / 2, y: y - height / 2, width, height, rx });
}

// From the middle of a line to its baseline, for capitals and figures of common sans serif fonts.
const BASELINE_EM = 0.35;

function drawText({ lines, height, sizePx, linePx }: TextBlock, { x, y }: Point): SvgNode {
  const first = y - height / 2 + linePx / 2 + sizePx * BASELINE_EM;
  const spans = lines.map((line, index) =>
    element("tspan", { x, y: first + index * linePx }, [isolateIfNeeded(line)]),
  );
  return element("text", {}, spans);
}
