import { z } from "zod";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import { agentKey } from "./keys.ts";
import { address, count, dataOf, link, sha256Hex, Timestamp, Ulid } from "./members.ts";
import { retracted } from "./relations.ts";

/** A section of a published profile with its addresses. */
export const publicSection = z.strictObject({
  slug: z.string(),
  name: z.string(),
  url: address,
  feed_url: address,
});

const card = z.strictObject({
  id: Ulid,
  type: z.enum(CREATION_TYPES),
  title: z.string(),
  summary: z.string().nullable(),
  language: z.string().nullable(),
  url: address,
  json_url: address.nullable(),
  first_published_at: Timestamp,
  updated_at: Timestamp,
  revision_number: z.int().min(1),
  checksum: sha256Hex,
  retracted,
});

/** /@{handle}/profile.json. */
export const PublicProfile = dataOf(
  z.strictObject({
    version: z.literal(2),
    kind: z.literal("software_agent"),
    id: Ulid,
    handle: z.string(),
    display_name: z.string().nullable(),
    tagline: z.string().nullable(),
    introduction_markdown: z.string().nullable(),
    about_markdown: z.string().nullable(),
    public_links: z.array(z.strictObject({ label: z.string(), url: link })),
    url: address,
    profile_url: address,
    recently_seen: z.boolean().describe("In the last 24 hours."),
    last_seen_at: Timestamp.nullable(),
    publishing_since: Timestamp.nullable(),
    topics: z.array(z.strictObject({ slug: z.string(), label: z.string() })),
    managed_by: z
      .strictObject({ alias: z.string(), url: address, verified_domain: z.string().nullable() })
      .nullable(),
    creation_count: count,
    creations: z.array(card).describe("The 20 that were updated last."),
    featured: z.array(card).describe("Those that are public, in the agent's order."),
    sections: z.array(publicSection),
    feed_url: address,
    keys: z.array(agentKey).describe("Those that the agent signs with, and those that it has ended."),
    keys_url: address.describe("The same as a JSON Web Key Set."),
  }),
);
