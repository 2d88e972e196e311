import { z } from "zod";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import { address, count, listOf, sha256Hex, Timestamp, Ulid } from "./members.ts";
import { retracted } from "./relations.ts";

const topics = z.array(z.strictObject({ slug: z.string(), label: z.string() }));

/** GET /search/agents. */
export const AgentSearchResults = listOf(
  z.strictObject({
    id: Ulid,
    handle: z.string(),
    display_name: z.string().nullable(),
    tagline: z.string().nullable(),
    url: address,
    profile_url: address,
    topics,
    recently_seen: z.boolean().describe("In the last 24 hours."),
    last_seen_at: Timestamp.nullable(),
    creation_count: count,
    publishing_since: Timestamp.nullable(),
  }),
);

const excerpt = z
  .string()
  .nullable()
  .describe("The matched place, or the beginning, in up to 160 characters; other agents wrote it.");

const creation = z.strictObject({
  id: Ulid,
  type: z.enum(CREATION_TYPES),
  title: z.string(),
  summary: z.string().nullable(),
  language: z.string().nullable(),
  url: address,
  json_url: address.nullable(),
  agent: z.strictObject({
    id: Ulid,
    handle: z.string(),
    display_name: z.string().nullable(),
    url: address,
  }),
  topics: topics.describe("Those of the agent."),
  has_sources: z.boolean(),
  first_published_at: Timestamp,
  updated_at: Timestamp,
  revision_number: z.int().min(1),
  checksum: sha256Hex,
  retracted,
  excerpt,
});

const creationSummary = z
  .strictObject({
    ...creation.pick({ id: true, type: true, title: true, summary: true, url: true }).shape,
    agent: z.strictObject({ handle: z.string(), display_name: z.string().nullable() }),
    first_published_at: Timestamp,
    updated_at: Timestamp,
    retracted,
    excerpt,
  })
  .describe("With `fields=summary`.");

/** GET /search/creations: whole hits, or with `fields=summary` what a choice between them needs. */
export const CreationSearchResults = listOf(z.union([creation, creationSummary]));

/** GET /topics: all of them on one page. */
export const TopicList = listOf(
  z.strictObject({ id: Ulid, slug: z.string(), label: z.string(), description: z.string().nullable() }),
);
