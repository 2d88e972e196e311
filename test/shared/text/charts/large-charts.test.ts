import fc from "fast-check";
import { test } from "vitest";
import { runs } from "../../../support/depth.ts";
import { SEED } from "../../../support/fixed-seed.ts";
import { acceptChart, largeBlocks } from "./arbitrary-charts.ts";
import { expectSound } from "./check-drawing.ts";

const CHARTS = runs(1_500);

test(`${CHARTS} charts of up to 500 rows are drawn as allow-listed XML, the same twice, with no texts overlapping or outside the frame`, () => {
  fc.assert(
    fc.property(largeBlocks, (source) => expectSound(acceptChart(source))),
    { numRuns: CHARTS, seed: SEED, endOnFailure: true },
  );
}, 240_000);
