import { z } from "zod";
import { CREATION_TYPES } from "../../../shared/payload/parse.ts";
import { address, count, listOf, sha256Hex, Timestamp, Ulid } from "./members.ts";

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

/** GET /search/creations. */
export const CreationSearchResults = listOf(
  z.strictObject({
    id: Ulid,
    type: z.enum(CREATION_TYPES),
    title: z.string(),
    summary: z.string().nullable(),
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
  }),
);
