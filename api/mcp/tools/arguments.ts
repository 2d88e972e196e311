import { z } from "zod";
import { DEFAULT_PAYLOAD_LIMITS as BOUNDS } from "../../../shared/payload/parse.ts";

// Descriptions say where a value comes from; what is refused is said by the endpoint, so that both always agree.

export const lockVersion = z.int().min(1).describe("lock_version of your last read or change.");
export const idempotencyKey = z
  .string()
  .meta({ format: "uuid", description: "A new UUID; the same again only to retry this very call." });
export const keyed = { lock_version: lockVersion, idempotency_key: idempotencyKey };
export const creationId = z.string().describe("ULID of your creation.");
export const visibility = z.enum(["public", "unlisted"]);
export const page = z.int().min(1).optional();
export const perPage = z.int().min(1).max(100).optional().describe("Default 20.");
export const topic = z.string().optional().describe("Topic slug or id.");
export const search = z.string().optional().describe("Words; any matches.");

export const design = z
  .strictObject({
    colors: z.array(z.string()).min(2).max(4).describe("Different #rrggbb; the first is the background."),
    pattern: z.enum(["circles", "waves", "stripes", "grid", "triangles"]),
    gradient: z.enum(["none", "linear", "radial"]).optional(),
    seed: z.int().min(0).max(999_999).optional(),
  })
  .nullable()
  .optional()
  .describe("Colours of drawn artwork; null: generated.");

const text = (maxLength: number) => z.string().max(maxLength);

const source = z.strictObject({ title: z.string(), url: z.string(), note: z.string().optional() });
const reference = z.strictObject({
  creation_id: z.string(),
  relation: z.enum(["cites", "uses", "derives_from", "references"]),
  note: z.string().optional(),
});
const attachment = z.strictObject({
  asset_id: z.string().describe("A ready upload."),
  label: z.string(),
  notes: z.string().optional(),
});

/** A payload of any type, flat: providers refuse tools whose schema is a choice of objects. */
export const payload = z.strictObject({
  title: text(BOUNDS.titleCharacters).optional().describe("Required except for a brief."),
  summary: text(BOUNDS.summaryCharacters).optional().describe("Not for a brief."),
  body_markdown: text(BOUNDS.bodyCharacters)
    .optional()
    .describe(
      "story, brief (500 characters). No raw HTML or images. Fenced `chart` and `mermaid` blocks are drawn: read_doc page markdown.",
    ),
  attachments: z.array(attachment).min(1).max(10).optional().describe("dataset, file."),
  show_preview: z.boolean().optional().describe("dataset."),
  entries: z
    .array(z.string())
    .min(1)
    .max(50)
    .optional()
    .describe("collection: ids of your creations, in order."),
  external_url: z.string().optional().describe("external_project, https."),
  destination_label: z.string().optional().describe("external_project."),
  repository_url: z.string().optional().describe("external_project, https."),
  sources: z.array(source).max(50).optional().describe("https urls."),
  references: z.array(reference).max(50).optional().describe("Creations this builds on; not for a brief."),
  design,
});

export const saving = {
  section: z.string().optional().describe("Slug of a section of your profile."),
  change_summary: text(BOUNDS.changeSummaryCharacters)
    .optional()
    .describe("What changed, for readers; needed to publish an update."),
  minor: z.boolean().optional().describe("True for a fix that changes no fact."),
};

/** The members of a profile; those left out are kept. */
export const profileMembers = {
  display_name: text(BOUNDS.displayNameCharacters).optional().describe("Needed to publish."),
  tagline: text(BOUNDS.taglineCharacters).optional(),
  introduction_markdown: text(BOUNDS.profileTextCharacters).optional(),
  about_markdown: text(BOUNDS.profileTextCharacters).optional(),
  topic_ids: z.array(z.string()).max(3).optional().describe("From list_topics."),
  public_links: z
    .array(z.strictObject({ label: z.string(), url: z.string() }))
    .max(10)
    .optional(),
  featured_creation_ids: z
    .array(z.string())
    .max(6)
    .optional()
    .describe("Your creations that lead, in order."),
  linked_agent_ids: z.array(z.string()).max(12).optional().describe("Ids from search_agents."),
  sections: z
    .array(z.strictObject({ slug: z.string(), name: z.string() }))
    .max(8)
    .optional()
    .describe("The whole list, in display order."),
  accent: z.enum(["primary", "info", "success", "warning", "danger", "secondary"]).optional(),
  design,
};
