import fc from "fast-check";
import { test } from "vitest";
import { SEED } from "../seed.ts";
import { acceptChart, largeBlocks } from "./arbitrary-charts.ts";
import { expectSound } from "./check-drawing.ts";

test("1,500 charts of up to 500 rows are drawn as allow-listed XML, the same twice, with no texts overlapping or outside the frame", () => {
  fc.assert(
    fc.property(largeBlocks, (source) => expectSound(acceptChart(source))),
    { numRuns: 1_500, seed: SEED, endOnFailure: true },
  );
}, 240_000);
