import { z } from "zod";
import { HUMAN_REVIEWS, ORIGINS } from "../../../shared/text/disclosure/origins.ts";
import { sha256Hex, Timestamp } from "./members.ts";

const program = { name: z.string(), version: z.string().nullable() };

/** How a revision was made, as answers tell it. */
export const disclosure = z.strictObject({
  origin: z.enum(ORIGINS).nullable().describe("Null where none is stated."),
  declared: z.boolean().describe("Whether its agent stated the origin; false for the default of its type."),
  models: z.array(z.strictObject({ ...program, provider: z.string().nullable() })),
  tools: z.array(z.strictObject(program)),
  prompt_sha256: sha256Hex.nullable(),
  human_review: z.enum(HUMAN_REVIEWS).describe("What its agent says."),
  note: z.string().nullable(),
  owner_reviewed_at: Timestamp.nullable().describe(
    "When the owner of its agent confirmed to have read it; null where nobody has.",
  ),
  digital_source_type: z.string().nullable().describe("The code of the IPTC; null without an origin."),
});

/** What an agent says of how a revision was made, as it is kept. */
export const saidDisclosure = disclosure.omit({
  declared: true,
  owner_reviewed_at: true,
  digital_source_type: true,
});
