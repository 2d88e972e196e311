import { checkChart } from "./charts/parse-chart.ts";
import type { Flowchart } from "./flowcharts/flowchart.ts";
import { parseFlowchart } from "./flowcharts/parse-flowchart.ts";
import { firstWord, isDrawing, type ParsedMarkdown } from "./plain-text.ts";

/** One `chart` or `mermaid` block, numbered among its own kind. */
export interface DrawingBlock {
  kind: "Chart" | "Flowchart";
  number: number;
  line: number;
  source: string;
}

/** The chart and flowchart blocks of a text in the order written. */
export function findDrawingBlocks(parsed: ParsedMarkdown): DrawingBlock[] {
  const blocks: DrawingBlock[] = [];
  const counts = { Chart: 0, Flowchart: 0 };
  for (const token of parsed.written) {
    if (token.type !== "fence" || !isDrawing(token)) continue;
    const kind = firstWord(token.info).toLowerCase() === "chart" ? "Chart" : "Flowchart";
    counts[kind]++;
    // The renderer finds a block's figure by this name, wherever its token is shown.
    token.meta = { ...token.meta, drawing: `${kind} ${counts[kind]}` };
    blocks.push({ kind, number: counts[kind], line: (token.map?.[0] ?? 0) + 1, source: token.content });
  }
  return blocks;
}

// `charts`, `flowchart`, `vega-lite`: what authors guess.
const MEANT_AS_DRAWING = /^(?:flow-?)?charts?$|^(?:vega|mermaid)/i;

/** The line of each fence that is shown as code, and whose word says that it is a drawing. */
export function findUndrawnFences({ written }: ParsedMarkdown): number[] {
  return written.flatMap((token) =>
    token.type === "fence" && !isDrawing(token) && MEANT_AS_DRAWING.test(firstWord(token.info))
      ? [(token.map?.[0] ?? 0) + 1]
      : [],
  );
}

const UNBOUND =
  "data.from is taken in stories and briefs alone; put the rows into data.values, or the chart into a story.";

/**
 * Checks whether a block can be drawn: each fault has its line in the whole text. `passes` are the ranks that its
 * connections pass; a chart has none, and its text and rows are work enough bounded. The rows of `data.from` are asked for later;
 * only texts with `takesSources` may have such.
 */
export function checkDrawing(block: DrawingBlock, takesSources = false) {
  if (block.kind === "Chart") {
    const { problems, from } = checkChart(block.source);
    if (from !== null && problems.length === 0 && !takesSources)
      return { faults: [{ line: block.line, reason: UNBOUND }], passes: 0 };
    return { faults: problems.map(({ message }) => ({ line: block.line, reason: message })), passes: 0 };
  }
  const parsed = parseFlowchart(block.source);
  if (parsed.ok) return { faults: [], passes: countPasses(parsed.flowchart) };
  // The block's own lines begin below its fence.
  const faults = parsed.problems.map(({ line, message }) => ({ line: block.line + line, reason: message }));
  return { faults, passes: 0 };
}

/** A flowchart as a graph without cycles, by indexes of its nodes. */
interface Graph {
  after: number[][];
  before: number[][];
}

/**
 * Counts how many ranks the connections of a flowchart go down altogether: the work of its layout, at 0.12 ms each,
 * found in a thousandth of that time. Layout, which makes this sum as small as it can be, never takes more.
 */
export function countPasses({ nodes, connections }: Flowchart): number {
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]));
  const edges = connections.flatMap(({ from, to }): [number, number][] =>
    from === to ? [] : [[indexOf.get(from) ?? 0, indexOf.get(to) ?? 0]],
  );
  const graph = orient(nodes.length, edges);
  const ranks = rankNodes(graph);
  return edges.reduce((sum, [from, to]) => sum + Math.abs((ranks[to] ?? 0) - (ranks[from] ?? 0)), 0);
}

/** Turns the connections that close a cycle, the same ones that the layout turns. */
function orient(count: number, edges: readonly [number, number][]): Graph {
  const leaving: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) leaving[from]?.push(to);
  const reached = new Set(edges.map(([, to]) => to));
  const graph: Graph = { after: leaving.map(() => []), before: leaving.map(() => []) };
  const [seen, open] = [new Set<number>(), new Set<number>()];
  const visit = (node: number): void => {
    if (seen.has(node)) return;
    seen.add(node);
    open.add(node);
    for (const next of leaving[node] ?? []) {
      const [upper, lower] = open.has(next) ? [next, node] : [node, next];
      graph.after[upper]?.push(lower);
      graph.before[lower]?.push(upper);
      visit(next);
    }
    open.delete(node);
  };
  for (const node of leaving.keys()) if (!reached.has(node)) visit(node);
  for (const node of leaving.keys()) visit(node);
  return graph;
}

/** Ranks each node as early as it can stand, then moves those with more ahead than behind toward what is ahead. */
function rankNodes({ after, before }: Graph): number[] {
  const ranks: number[] = [];
  const order: number[] = [];
  const rank = (node: number): number => {
    const known = ranks[node];
    if (known !== undefined) return known;
    const earliest = Math.max(0, ...(before[node] ?? []).map((earlier) => rank(earlier) + 1));
    order.push(node);
    ranks[node] = earliest;
    return earliest;
  };
  for (const node of after.keys()) rank(node);
  for (const node of order.toReversed()) {
    const ahead = after[node] ?? [];
    if (ahead.length === 0 || ahead.length < (before[node] ?? []).length) continue;
    ranks[node] = Math.min(...ahead.map((later) => ranks[later] ?? 0)) - 1;
  }
  return ranks;
}
