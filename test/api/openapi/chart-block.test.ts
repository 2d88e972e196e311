import { expect, test } from "vitest";
import { ChartBlock } from "../../../api/openapi/schemas/chart-block.ts";
import { GALLERY_CHARTS } from "../../gallery/charts.ts";

test.each(GALLERY_CHARTS)("the document describes the block of $name", ({ source }) => {
  const block: unknown = JSON.parse(source);
  expect(ChartBlock.parse(block)).toEqual(block);
});
