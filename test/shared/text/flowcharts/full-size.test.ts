import fc from "fast-check";
import { expect, test } from "vitest";
import { layOutFlowchart } from "../../../../shared/text/flowcharts/geometry.ts";
import { runs } from "../../../support/depth.ts";
import { SEED } from "../../../support/fixed-seed.ts";
import { findFaults } from "./check-geometry.ts";
import { anyFlowchart } from "./generate.ts";

const FULL = anyFlowchart({ leastNodes: 50, mostNodes: 50, leastConnections: 100, mostConnections: 100 });

const FLOWCHARTS = runs(100);

test(`${FLOWCHARTS} flowcharts of full size are drawn without a fault`, { timeout: 300_000 }, () => {
  fc.assert(
    fc.property(FULL, (flowchart) => {
      expect(findFaults(layOutFlowchart(flowchart))).toEqual([]);
    }),
    { numRuns: FLOWCHARTS, seed: SEED, endOnFailure: true },
  );
});
