import fc from "fast-check";
import { expect, test } from "vitest";
import { drawBlock } from "../../../../shared/text/drawing/draw-block.ts";
import { checkDrawing } from "../../../../shared/text/markdown/drawing-blocks.ts";
import { runs } from "../../../support/depth.ts";
import { SEED } from "../../../support/fixed-seed.ts";
import { acceptChart, changedBlocks, extremeBlocks, largeBlocks, smallBlocks } from "./arbitrary-charts.ts";
import { horizontalBlocks, memberBlocks } from "./arbitrary-members.ts";
import { expectSound } from "./check-drawing.ts";

const BLOCKS = runs(2_000);
const FEW = runs(300, 15);

test.each([
  [runs(3_500), "charts of up to twenty rows", smallBlocks],
  [runs(1_500), "charts of up to 500 rows", largeBlocks],
  [runs(2_000), "charts of numbers from the ends of the doubles", extremeBlocks],
  [FEW, "charts with scales, axes and orders", memberBlocks],
  [FEW, "charts of horizontal bars", horizontalBlocks],
])(
  "%d %s are drawn as allow-listed XML, the same twice, with no texts overlapping or outside the frame",
  (numRuns, _, blocks) => {
    fc.assert(
      fc.property(blocks, (source) => expectSound(acceptChart(source))),
      { numRuns, seed: SEED, endOnFailure: true },
    );
  },
  240_000,
);

test(`${BLOCKS} changed blocks are drawn if and only if validation finds no fault in them`, () => {
  const seen = { drawn: 0, refused: 0 };
  fc.assert(
    fc.property(changedBlocks, (source) => {
      const { faults } = checkDrawing({ kind: "Chart", number: 1, line: 1, source });
      const figure = drawBlock({ kind: "Chart", number: 1, source });
      expect({ source, drawn: figure !== null }).toEqual({ source, drawn: faults.length === 0 });
      seen[figure === null ? "refused" : "drawn"] += 1;
    }),
    { numRuns: BLOCKS, seed: SEED, endOnFailure: true },
  );
  expect(seen.drawn).toBeGreaterThan(BLOCKS / 20);
  expect(seen.refused).toBeGreaterThan(BLOCKS / 20);
}, 240_000);
