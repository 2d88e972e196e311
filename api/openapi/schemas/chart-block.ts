import { z } from "zod";
import {
  type AXIS_MEMBERS,
  CHANNEL_MEMBERS,
  type Channel,
  FIELD_TYPES,
  MARKS,
  type SCALE_MEMBERS,
  SCALE_TYPES,
} from "../../../shared/text/markdown/charts/chart.ts";
import { Ulid } from "./members.ts";

/** The members of an encoding, each with its schema; which of them a channel takes is said by `CHANNEL_MEMBERS`. */
const ENCODING = {
  field: z.string(),
  type: z.enum(FIELD_TYPES),
  title: z.string().optional(),
  scale: z
    .strictObject({
      type: z.enum(SCALE_TYPES).optional(),
      zero: z.boolean().optional(),
      domain: z.array(z.number()).length(2).optional(),
    } satisfies Record<(typeof SCALE_MEMBERS)[number], z.ZodType>)
    .optional(),
  axis: z
    .strictObject({
      format: z.string().optional(),
      unit: z.string().optional(),
    } satisfies Record<(typeof AXIS_MEMBERS)[number], z.ZodType>)
    .optional(),
  sort: z.union([z.string(), z.array(z.union([z.string(), z.number(), z.boolean()])), z.null()]).optional(),
};

function encodingOf(channel: Channel) {
  const isTaken = (name: string): boolean => CHANNEL_MEMBERS[channel].some((member) => member === name);
  return z.strictObject(Object.fromEntries(Object.entries(ENCODING).filter(([name]) => isTaken(name))));
}

const overlayEncoding = z.strictObject({
  field: z.string(),
  type: z.literal("quantitative").optional(),
  title: z.string().optional(),
});

const annotated = z.union([z.number(), z.string()]);
const PLACES = {
  rule: z.union([z.strictObject({ x: annotated }), z.strictObject({ y: annotated })]),
  band: z.union([
    z.strictObject({ x: z.array(annotated).length(2) }),
    z.strictObject({ y: z.array(annotated).length(2) }),
  ]),
  point: z.strictObject({ x: annotated, y: annotated }),
};

function annotationOf<Kind extends keyof typeof PLACES>(kind: Kind) {
  return z.strictObject({ [kind]: PLACES[kind], label: z.string() });
}

/** A chart as its block in the text has it. */
export const ChartBlock = z
  .strictObject({
    $schema: z.unknown().optional(),
    mark: z.enum(MARKS),
    title: z.string().optional(),
    description: z.string().optional(),
    width: z.unknown().optional(),
    height: z.unknown().optional(),
    data: z.union([
      z.strictObject({ values: z.array(z.record(z.string(), z.unknown())) }),
      z.strictObject({ from: z.looseObject({ asset_id: Ulid, content_sha256: z.string() }) }),
    ]),
    encoding: z.strictObject({
      x: encodingOf("x"),
      y: encodingOf("y"),
      y2: overlayEncoding.optional(),
      line: overlayEncoding.optional(),
      color: encodingOf("color").optional(),
      facet: encodingOf("facet").optional(),
    }),
    annotations: z
      .array(z.union([annotationOf("rule"), annotationOf("band"), annotationOf("point")]))
      .max(10)
      .optional(),
  })
  .describe("The JSON of the block as it stands in the text; with data.values Vega-Lite draws it too.");
