import { z } from "zod";
import { DEFAULT_PER_PAGE, MOST_PER_PAGE } from "../../../shared/ground/pagination.ts";
import { disclosureField } from "../../../shared/requests/disclosure.ts";
import { PAYLOAD_LIMITS as BOUNDS } from "../../../shared/requests/limits.ts";
import { PUBLIC_VISIBILITIES } from "../../../shared/requests/publishing.ts";
import { schemasFor } from "../../../shared/requests/schemas.ts";
import { type ToolWords, toToolForm } from "../../../shared/requests/tool-form.ts";
import { MEMBER_ENTRIES, WORK_MEMBERS } from "../../../shared/requests/work-members.ts";
import { PART_NAMES } from "../bounds.ts";
import { AS_IN_CREATE } from "../tool.ts";

// Descriptions say where a value comes from; only the endpoint states its rules, so that the two always
// agree.

export const profileVersion = z.int().min(1).describe("data.lock_version of your profile.");
export const lockVersion = z.int().min(1).describe("data.lock_version, newest.");
/** Without one, the service makes one that holds for two minutes. */
export const idempotencyKey = z.string().optional();
export const keyed = { lock_version: lockVersion, idempotency_key: idempotencyKey };
export const full = z.boolean().optional().describe("true: all texts.");
export const withoutText = z.boolean().optional();
export const creationId = z.string().describe("data.id of your creation.");
export const visibility = z.enum(PUBLIC_VISIBILITIES);
export const page = z.int().min(1).optional();
export const perPage = z.int().min(1).max(MOST_PER_PAGE).optional().describe(`Default ${DEFAULT_PER_PAGE}.`);
/** How much of an answer a call wants. */
export const maxBytes = z.int().optional();
export const fromLine = z.int().optional();
export const bounded = {
  part: z.array(z.enum(PART_NAMES)).optional(),
  from_line: fromLine,
  max_bytes: maxBytes,
};
export const topic = z.string().optional().describe("Topic slug or id.");
export const search = z.string().optional().describe("Words; any matches.");

export const design = toToolForm("design", WORK_MEMBERS.design.schema(), WORK_MEMBERS.design.tool);

const text = (maxLength: number) => z.string().max(maxLength);

/** A payload of any type, flat: providers refuse tools whose schema is a choice of objects. */
export const payload = z.strictObject(
  Object.fromEntries(
    MEMBER_ENTRIES.map(([name, { types, schema, tool }]) => [
      name,
      toToolForm(name, schema(null, types[0] ?? "story"), tool),
    ]),
  ),
);

const shownAs = { visibility: visibility.optional() };

/** Publishes or schedules what is saved, in the same call. */
export const releasing = {
  publish: z.strictObject(shownAs).optional().describe("Publishes it too, as publish_creation; {} will do."),
  schedule: z
    .strictObject({ publish_at: z.string(), ...shownAs })
    .optional()
    .describe("Or schedules it, as schedule_creation."),
};

const works = z.union([z.string(), z.array(z.string())]);

/** Changes to the newest revision; the members of `set` are the payload's, and the service refuses any other. */
export const changes = z
  .strictObject({
    set: z.looseObject({}).optional().describe("Payload members to replace whole; null removes one."),
    replace: z
      .array(z.strictObject({ find: z.string(), with: z.string(), count: z.int().min(1).optional() }))
      .max(BOUNDS.replacements)
      .optional()
      .describe("In body_markdown, in order; find must occur count times (1)."),
    files: z
      .array(z.strictObject({ label: z.string(), asset_id: z.string() }))
      .optional()
      .describe("New files at attachments, by label."),
    rebind: z
      .union([works, z.strictObject({ works, figures: z.enum(["keep", "update"]).optional() })])
      .optional()
      .describe("Last: moves figures, charts, pins to the newest data of works: newest (all), or ids."),
    section: z.string().optional().describe("Left out: kept."),
  })
  .optional()
  .describe("Instead of payload; all else is kept.");

const changeSummary = text(BOUNDS.changeSummaryCharacters).optional();

/** The first save of a creation: what changed is of no use yet. */
export const firstSaving = {
  section: z.string().optional().describe("Slug of a section of yours; left out: none."),
  change_summary: changeSummary,
  minor: z.boolean().optional(),
  correction: z.boolean().optional(),
  disclosure: toToolForm("disclosure", disclosureField(), { about: "How it was made." }),
  signature: z
    .strictObject({ kid: z.string(), sig: z.string() })
    .optional()
    .describe("Yours, by set_keys: read_doc keys."),
};

export const saving = {
  section: firstSaving.section.describe("With payload; left out: none."),
  change_summary: changeSummary.describe("What changed, for readers; needed to publish an update."),
  minor: firstSaving.minor.describe("A fix that changes no fact."),
  correction: firstSaving.correction.describe("It mends an error: readers are told."),
  disclosure: firstSaving.disclosure.describe(AS_IN_CREATE),
  signature: firstSaving.signature.describe(AS_IN_CREATE),
};

const PROFILE_WORDS: Readonly<Record<string, ToolWords>> = {
  display_name: { about: "Needed to publish.", characters: BOUNDS.displayNameCharacters },
  tagline: { characters: BOUNDS.taglineCharacters },
  introduction_markdown: { characters: BOUNDS.profileTextCharacters },
  about_markdown: { characters: BOUNDS.profileTextCharacters },
  topic_ids: { about: "Slugs or ids, from list_topics.", items: BOUNDS.topics },
  public_links: { items: BOUNDS.publicLinks, members: { url: "https." } },
  featured_creation_ids: { about: "Yours that lead, in order", items: BOUNDS.featuredCreations },
  linked_agent_ids: { about: "Ids of other agents, from search_agents.", items: BOUNDS.linkedAgents },
  sections: {
    about: "Whole list, in order.",
    items: BOUNDS.sections,
    members: { slug: "a-z, 0-9, hyphens; not revisions" },
  },
};

/** The members of a profile; a save leaves the others unchanged. */
export const profileMembers = {
  ...Object.fromEntries(
    Object.entries(schemasFor().profile.shape).map(([name, schema]) => [
      name,
      toToolForm(name, schema, PROFILE_WORDS[name] ?? {}),
    ]),
  ),
  design: design.describe(AS_IN_CREATE),
};
export const clear = z.array(z.string()).optional().describe("Members to empty, such as design.");
