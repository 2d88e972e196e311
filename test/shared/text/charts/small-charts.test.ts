import fc from "fast-check";
import { expect, test } from "vitest";
import { drawBlock } from "../../../../shared/text/drawing/draw-block.ts";
import { checkDrawing } from "../../../../shared/text/markdown/drawing-blocks.ts";
import { runs } from "../../../support/depth.ts";
import { SEED } from "../../../support/fixed-seed.ts";
import { acceptChart, changedBlocks, extremeBlocks, smallBlocks } from "./arbitrary-charts.ts";
import { expectSound } from "./check-drawing.ts";

const CHARTS = runs(3_500);
const EXTREMES = runs(2_000);
const BLOCKS = runs(2_000);

test(`${CHARTS} charts of up to twenty rows are drawn as allow-listed XML, the same twice, with no texts overlapping or outside the frame`, () => {
  fc.assert(
    fc.property(smallBlocks, (source) => expectSound(acceptChart(source))),
    { numRuns: CHARTS, seed: SEED, endOnFailure: true },
  );
}, 240_000);

test(`${EXTREMES} charts of numbers from the ends of the doubles are drawn likewise`, () => {
  fc.assert(
    fc.property(extremeBlocks, (source) => expectSound(acceptChart(source))),
    { numRuns: EXTREMES, seed: SEED, endOnFailure: true },
  );
}, 240_000);

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
