import { measureText, wrapText } from "../drawing/measure-text.ts";
import { element, isolate, type SvgNode } from "../drawing/svg.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { AXIS_FONT, AXIS_TITLE_LINES, CHART_SIZES, drawLabel, type Plot } from "./frame.ts";
import { SLANT } from "./labels.ts";
import type { XAxis } from "./x-axis.ts";

/** Ticks, labels and name of the horizontal axis; `bottom` is where the drawing ends. */
export function drawFoot(chart: Chart, axis: XAxis, plot: Plot): { nodes: SvgNode[]; bottom: number } {
  const strokes = axis.ticks.map((x) =>
    element("line", { x1: x, x2: x, y1: plot.bottom, y2: plot.bottom + 5 }),
  );
  const { level, slanted, every } = axis.labels;
  // A marker on the lowest line reaches below it.
  const markerPx = chart.mark === "line" || chart.mark === "point" ? 4 : 0;
  const first = plot.bottom + CHART_SIZES.gap + 11 + markerPx;
  const levels = level.flatMap(({ x, lines }) =>
    lines.map((line, index) =>
      drawLabel(line, { x, y: first + index * CHART_SIZES.line, "text-anchor": "middle" }),
    ),
  );
  const slants = slanted.map(({ x, text }) => {
    const [endX, endY] = [(x + 4).toFixed(2), (plot.bottom + CHART_SIZES.gap + 6).toFixed(2)];
    return drawLabel(text, { transform: `translate(${endX} ${endY}) rotate(-45)`, "text-anchor": "end" });
  });
  const lineCount = Math.max(0, ...level.map(({ lines }) => lines.length));
  const slantPx = Math.max(
    0,
    ...slanted.map(({ text }) => (measureText(text, CHART_SIZES.text) + 6) * SLANT),
  );
  const under =
    slanted.length > 0
      ? plot.bottom + CHART_SIZES.gap + 8 + slantPx
      : first + (lineCount - 1) * CHART_SIZES.line + 5;
  const note = every > 1 ? ` (every ${ordinal(every)} is labelled)` : "";
  const name = nameXAxis(chart.x.title, note, plot.right - CHART_SIZES.edge);
  const titles = name.map((line, index) =>
    drawLabel(line, { x: plot.right, y: under + 15 + index * CHART_SIZES.line, "text-anchor": "end" }),
  );
  const nodes = [
    element("g", { class: "grid", stroke: "currentColor" }, strokes),
    element("g", {}, [...levels, ...slants]),
    element("g", { class: "soft", fill: "currentColor" }, titles),
  ];
  return { nodes, bottom: under + 15 + (name.length - 1) * CHART_SIZES.line + 7 };
}

function nameXAxis(title: string, note: string, roomPx: number): string[] {
  if (note === "") return wrapText(title, roomPx, AXIS_TITLE_LINES, AXIS_FONT);
  const whole = `${isolate(title)}${note}`;
  if (measureText(whole, CHART_SIZES.text) <= roomPx) return [whole];
  return [...wrapText(title, roomPx, 1, AXIS_FONT), note.trim()];
}

function ordinal(number: number): string {
  const ending =
    number % 100 >= 11 && number % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
}
