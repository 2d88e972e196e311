import { Graph, layout } from "@dagrejs/dagre";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countPasses } from "../../../../../shared/text/markdown/drawing-blocks.ts";
import type { Flowchart } from "../../../../../shared/text/markdown/flowcharts/flowchart.ts";
import { parseFlowchart } from "../../../../../shared/text/markdown/flowcharts/parse-flowchart.ts";
import { runs } from "../../../../support/depth.ts";
import { SEED } from "../../../../support/fixed-seed.ts";
import { anyFlowchart } from "../../flowcharts/generate.ts";

function passesOf(rows: string): number {
  const verdict = parseFlowchart(`flowchart TD\n${rows}`);
  if (!verdict.ok) throw new Error("refused");
  return countPasses(verdict.flowchart);
}

/** The ranks that the connections pass in the layout itself, which gives each of them two. */
function countInLayout({ nodes, connections }: Flowchart): number {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({});
  for (const { id } of nodes) graph.setNode(id, { width: 50, height: 40 });
  for (const [index, { from, to }] of connections.entries())
    if (from !== to) graph.setEdge(from, to, { width: 0, height: 0, labelpos: "c" }, `${index}`);
  let pieces = 0;
  const ranked = new Error("ranked");
  const customOrder = (layered: Graph) => {
    pieces = layered.edges().length;
    throw ranked;
  };
  try {
    layout(graph, { customOrder });
  } catch (error) {
    if (error !== ranked) throw error;
  }
  return pieces / 2;
}

describe("the ranks that connections pass", () => {
  test.each([
    ["one node", "A", 0],
    ["a chain", "A --> B --> C --> D", 3],
    ["a connection past two nodes", "A --> B --> C --> D\nA --> D", 6],
    ["a way back", "A --> B --> C --> D --> A", 6],
    ["loops of a node to itself", "A --> A\nA --> A\nA --> B", 1],
    ["parallel connections", "A --> B --> C\nA --> C\nA --> C", 6],
    ["what begins late and what ends early", "A --> B --> C --> D\nX --> D\nA --> Y", 5],
    ["two parts", "A --> B\nC --> D --> E", 3],
  ])("of %s", (_, rows, passes) => {
    expect(passesOf(rows)).toBe(passes);
  });

  const FULL = anyFlowchart({ leastNodes: 2, mostNodes: 50, leastConnections: 1, mostConnections: 100 });

  test("are never fewer than in the layout, and hardly more", () => {
    let [counted, laidOut] = [0, 0];
    fc.assert(
      fc.property(FULL, (flowchart) => {
        const [passes, inLayout] = [countPasses(flowchart), countInLayout(flowchart)];
        expect(passes).toBeGreaterThanOrEqual(inLayout);
        counted += passes;
        laidOut += inLayout;
      }),
      { numRuns: runs(100), seed: SEED, endOnFailure: true },
    );
    expect(counted).toBeLessThan(1.2 * laidOut + 10);
  });
});
