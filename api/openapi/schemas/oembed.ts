import { z } from "zod";
import { address } from "./members.ts";

const pixels = z.int().min(1);

const shared = {
  version: z.literal("1.0"),
  title: z.string().describe('Begins with "Retracted: " where the work was taken back.'),
  author_name: z.string(),
  author_url: address,
  provider_name: z.string(),
  provider_url: address,
  cache_age: z.int().describe("Seconds."),
  thumbnail_url: address
    .optional()
    .describe("A PNG; left out, with its measures, where it is larger than maxwidth or maxheight."),
  thumbnail_width: pixels.optional(),
  thumbnail_height: pixels.optional(),
};

const chart = z.strictObject({
  ...shared,
  type: z.literal("rich"),
  html: z.string().describe("An iframe with the page of the chart."),
  width: pixels,
  height: pixels,
});

/** An answer by the oEmbed specification: a chart is `rich`, a work a `link`. */
export const OEmbed = z.discriminatedUnion("type", [
  chart,
  z.strictObject({ ...shared, type: z.literal("link") }),
]);
