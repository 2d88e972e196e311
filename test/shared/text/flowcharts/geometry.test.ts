import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { layOutFlowchart } from "../../../../shared/text/flowcharts/geometry.ts";
import { parseFlowchart } from "../../../../shared/text/markdown/flowcharts/parse-flowchart.ts";
import { GALLERY_FLOWCHARTS } from "../../../gallery/flowcharts.ts";
import { runs } from "../../../support/depth.ts";
import { SEED } from "../../../support/fixed-seed.ts";
import { findFaults } from "./check-geometry.ts";
import { anyFlowchart } from "./generate.ts";

const SMALL = anyFlowchart({ leastNodes: 1, mostNodes: 20, leastConnections: 0, mostConnections: 30 });
const FULL = anyFlowchart({ leastNodes: 50, mostNodes: 50, leastConnections: 100, mostConnections: 100 });

describe("in every drawing texts lie in their shapes, lines pass nodes and labels, and nothing leaves the frame", () => {
  test.each([
    [runs(1_000), "of up to twenty nodes", SMALL],
    [runs(100), "of full size", FULL],
  ])("%d flowcharts %s", { timeout: 300_000 }, (numRuns, _, flowcharts) => {
    fc.assert(
      fc.property(flowcharts, (flowchart) => {
        expect(findFaults(layOutFlowchart(flowchart))).toEqual([]);
      }),
      { numRuns, seed: SEED, endOnFailure: true },
    );
  });

  test.each(GALLERY_FLOWCHARTS)("$name", ({ source }) => {
    const verdict = parseFlowchart(source);
    if (!verdict.ok) throw new Error(JSON.stringify(verdict.problems));
    expect(findFaults(layOutFlowchart(verdict.flowchart))).toEqual([]);
  });
});

describe("the check itself", () => {
  const verdict = parseFlowchart("flowchart TD\nA[One] -->|label| B{Two}\nA --> C\nB --> D\nA --> D");
  const geometry = layOutFlowchart(
    verdict.ok ? verdict.flowchart : { direction: "TB", nodes: [], connections: [] },
  );
  const shift = (index: number, by: { x: number; y: number }) => ({
    ...geometry,
    nodes: geometry.nodes.map((node, at) =>
      at === index ? { ...node, x: node.x + by.x, y: node.y + by.y } : node,
    ),
  });

  test("finds nothing in a good drawing", () => {
    expect(geometry.nodes).toHaveLength(4);
    expect(findFaults(geometry)).toEqual([]);
  });

  test("finds a node on a line, on a label, away from its line and outside the frame", () => {
    const [one, two] = geometry.nodes;
    const label = geometry.connections[0]?.label?.at;
    if (one === undefined || two === undefined || label === undefined)
      throw new Error("the drawing is not whole");
    const onLabel = findFaults(
      shift(2, { x: label.x - (geometry.nodes[2]?.x ?? 0), y: label.y - (geometry.nodes[2]?.y ?? 0) }),
    );
    expect(onLabel.join()).toMatch(/C overlaps label 0/);
    expect(onLabel.join()).toMatch(/connection 0 runs through C/);
    expect(onLabel.join()).toMatch(/connection 1 does not touch C/);
    expect(findFaults(shift(0, { x: 0, y: -30 })).join()).toMatch(/A leaves the frame/);
  });

  test("finds a text that is larger than its shape", () => {
    const nodes = geometry.nodes.map((node) => ({ ...node, width: node.text.width - 2 }));
    expect(findFaults({ ...geometry, nodes }).join()).toMatch(/text leaves A.*text leaves B/);
  });
});
