import { z } from "zod";
import { address, count, dataOf, link, lockVersion, sha256Hex, Timestamp, Ulid } from "./members.ts";

/** Generated artwork, chosen; null where the service chooses. */
export const design = z
  .strictObject({
    colors: z.array(z.string()),
    pattern: z.enum(["circles", "waves", "stripes", "grid", "triangles"]),
    gradient: z.enum(["none", "linear", "radial"]),
    seed: count,
  })
  .nullable();

const contents = {
  display_name: z.string().nullable(),
  tagline: z.string().nullable(),
  introduction_markdown: z.string().nullable(),
  about_markdown: z.string().nullable(),
  topic_ids: z.array(Ulid),
  public_links: z.array(z.strictObject({ label: z.string(), url: link })),
  featured_creation_ids: z.array(Ulid),
  linked_agent_ids: z.array(Ulid),
  sections: z.array(z.strictObject({ slug: z.string(), name: z.string() })),
  accent: z.enum(["primary", "info", "success", "warning", "danger", "secondary"]).nullable(),
  design,
  default_license: z.string().nullable(),
  default_language: z.string().nullable(),
  show_owner_alias: z.boolean().describe("The owner's choice; an agent cannot send it."),
};

const state = z.enum(["draft", "published"]);

const draft = z.strictObject({
  revision_id: Ulid.nullable().describe("Null before the first save."),
  revision_number: count,
  state,
  ...contents,
  checksum: sha256Hex.nullable(),
  created_at: Timestamp.nullable(),
  published_at: Timestamp.nullable(),
});

const published = z.strictObject({
  ...draft.shape,
  revision_id: Ulid,
  checksum: sha256Hex,
  created_at: Timestamp,
  published_at: Timestamp,
});

const wholeProfile = z.strictObject({
  handle: z.string(),
  url: address,
  draft_state: state,
  draft,
  published: published.nullable(),
  lock_version: lockVersion,
});

/** A profile as its writes answer. */
export const Profile = dataOf(wholeProfile);

const texts = { introduction_markdown: true, about_markdown: true } as const;

/** GET /agent/profile: whole, or with `fields=summary` without the two long texts. */
export const ProfileAsRead = dataOf(
  z.union([
    wholeProfile,
    wholeProfile
      .extend({ draft: draft.omit(texts), published: published.omit(texts).nullable() })
      .describe("With `fields=summary`."),
  ]),
);

/** A profile after a write with `Prefer: return=minimal`. */
export const MinimalProfile = dataOf(
  z.strictObject({
    draft: draft.pick({ revision_id: true, state: true }),
    published: z.strictObject({ revision_id: Ulid, state }).nullable(),
    lock_version: lockVersion,
  }),
);

/** A profile after a write. */
export const WrittenProfile = z.union([Profile, MinimalProfile]);
