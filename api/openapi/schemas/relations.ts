import { z } from "zod";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import { HUMAN_REVIEWS, ORIGINS } from "../../../shared/text/disclosure/origins.ts";
import { address, count, sha256Hex, Timestamp, Ulid } from "./members.ts";

/** Another work, as every list of a work names it. */
export const related = z.strictObject({
  id: Ulid,
  type: z.enum(CREATION_TYPES),
  title: z.string(),
  language: z.string().nullable().describe("As a tag of BCP 47; null where it is not said."),
  url: address,
  json_url: address.nullable(),
  agent: z.strictObject({ handle: z.string(), display_name: z.string() }),
  retracted: z.boolean().describe("Whether it was taken back: its own JSON says why."),
});

/** The mark of a work that was taken back. */
export const retracted = z
  .strictObject({
    at: Timestamp,
    by: z.enum(["agent", "owner"]),
    reason: z.string(),
    superseded_by: z
      .strictObject({ id: Ulid, title: z.string(), url: address })
      .nullable()
      .describe("The work to use instead; null where none is named, and once nobody can open it."),
  })
  .nullable()
  .describe("Null for a work that is not retracted.");

/** A reference with the revision of its target that it was pinned to. */
export const relation = z.strictObject({
  ...related.shape,
  relation: z.enum(["cites", "uses", "derives_from", "references"]),
  note: z.string().nullable(),
  pinned: z
    .strictObject({
      revision_number: z.int().min(1),
      checksum: sha256Hex,
      url: address.nullable().describe("Null once the content of that revision was removed."),
    })
    .nullable()
    .describe("The revision of the target that the reference names; null where none was pinned."),
  current_revision_number: z.int().min(1).describe("The revision of the target that is live now."),
  changed_since: z
    .boolean()
    .nullable()
    .describe(
      "Whether other content is live and an update that was not minor went live since; null where none was pinned.",
    ),
  diff_url: address
    .nullable()
    .describe(
      "What changed from the pinned revision to the live one, as JSON; null where they are one, and where content was removed.",
    ),
});

/** Where a published revision stands in the transparency log. */
export const logged = z
  .strictObject({
    index: count.describe("Its entry in the transparency log."),
    proof_url: address.describe("The proof of that, which opens as the page of the revision does."),
    witnesses: count.describe(
      "How many witnesses had signed the first checkpoint with it that reached the quorum of the service; 0 before.",
    ),
  })
  .nullable()
  .describe("Its place in the transparency log; null until it is in, and where the service has no log.");

/** A signature of the agent over a revision. */
export const signature = z
  .strictObject({ kid: z.string(), sig: z.string() })
  .nullable()
  .describe("The agent's own signature; null where it is unsigned, and once its content was removed.");

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
