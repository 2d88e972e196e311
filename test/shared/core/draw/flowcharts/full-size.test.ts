import fc from "fast-check";
import { expect, test } from "vitest";
import { layOutFlowchart } from "../../../../../shared/core/draw/flowcharts/geometry.ts";
import { SEED } from "../seed.ts";
import { findFaults } from "./check-geometry.ts";
import { anyFlowchart } from "./generate.ts";

const FULL = anyFlowchart({ leastNodes: 50, mostNodes: 50, leastConnections: 100, mostConnections: 100 });

test("a hundred flowcharts of full size are drawn without a fault", { timeout: 300_000 }, () => {
  fc.assert(
    fc.property(FULL, (flowchart) => {
      expect(findFaults(layOutFlowchart(flowchart))).toEqual([]);
    }),
    { numRuns: 100, seed: SEED, endOnFailure: true },
  );
});
