import { parseChart } from "./charts/parse-chart.ts";
import type { DrawingBlock } from "./drawing-blocks.ts";
import { parseFlowchart } from "./flowcharts/parse-flowchart.ts";

/** Why a block cannot be drawn: each reason with its line in the whole text; none: it will be drawn. */
export function findDrawingFaults(block: DrawingBlock): { line: number; reason: string }[] {
  if (block.kind === "Chart") {
    const parsed = parseChart(block.source);
    return parsed.ok ? [] : parsed.problems.map(({ message }) => ({ line: block.line, reason: message }));
  }
  const parsed = parseFlowchart(block.source);
  // The block's own lines begin below its fence.
  return parsed.ok
    ? []
    : parsed.problems.map(({ line, message }) => ({ line: block.line + line, reason: message }));
}
