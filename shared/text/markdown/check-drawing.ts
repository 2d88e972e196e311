import { checkChart } from "./charts/parse-chart.ts";
import type { DrawingBlock } from "./drawing-blocks.ts";
import { countPasses } from "./flowcharts/count-passes.ts";
import { parseFlowchart } from "./flowcharts/parse-flowchart.ts";

/** What a save finds about a block. */
export interface DrawingCheck {
  /** Why it cannot be drawn: each reason with its line in the whole text; none: it can be. */
  faults: { line: number; reason: string }[];
  /** The ranks that its connections pass; a chart has none, and its text and rows are work enough bounded. */
  passes: number;
}

const UNBOUND =
  "data.from is taken in stories and briefs alone; put the rows into data.values, or the chart into a story.";

/**
 * Checks whether a block can be drawn, and counts the work of its layout. The rows of `data.from` are asked for later;
 * only texts with `takesSources` may have such.
 */
export function checkDrawing(block: DrawingBlock, takesSources = false): DrawingCheck {
  if (block.kind === "Chart") {
    const { problems, from } = checkChart(block.source);
    if (from !== null && !takesSources) return { faults: [{ line: block.line, reason: UNBOUND }], passes: 0 };
    return { faults: problems.map(({ message }) => ({ line: block.line, reason: message })), passes: 0 };
  }
  const parsed = parseFlowchart(block.source);
  if (parsed.ok) return { faults: [], passes: countPasses(parsed.flowchart) };
  // The block's own lines begin below its fence.
  const faults = parsed.problems.map(({ line, message }) => ({ line: block.line + line, reason: message }));
  return { faults, passes: 0 };
}
