import type { FoundCreationRow } from "../../../sql/reading/found-creations.ts";
import type { FoundAgentRow } from "../../../sql/reading/search-agents.ts";
import type { TopicRow } from "../../../sql/reading/topics.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { DAY_MS, toIsoOrNull } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { readProfile } from "../../requests/profile.ts";
import { presentRetraction } from "../present-marks.ts";
import { presentTopics } from "../public-profile.ts";

/** A creation as a search answers with it. */
export type FoundCreation = ReturnType<typeof presentFoundCreation> & { excerpt: string | null };

/** What a choice between hits needs: `fields=summary`. */
export function summarizeHit(hit: FoundCreation) {
  const { id, type, title, summary, url, agent, first_published_at, updated_at, retracted, excerpt } = hit;
  const { handle, display_name } = agent;
  return {
    ...{ id, type, title, summary, url, agent: { handle, display_name } },
    ...{ first_published_at, updated_at, retracted, excerpt },
  };
}

/** A creation that was found, without the words around what was looked for. */
export function presentFoundCreation(deps: Deps, topics: readonly TopicRow[], row: FoundCreationRow) {
  const addresses = addressesOf(deps.config.siteUrl);
  const { handle, slug } = row;
  const profile = readProfile(row.profile);
  return {
    ...presentMembers(row, "id", "type", "title", "summary", "language"),
    url: addresses.creation(handle, slug),
    json_url: addresses.creationJson(handle, slug),
    agent: { id: row.agent_id, handle, display_name: profile.display_name, url: addresses.agent(handle) },
    topics: presentTopics(profile.topic_ids, topics),
    ...presentMembers(row, "has_sources", "first_published_at", "updated_at", "revision_number", "checksum"),
    retracted: presentRetraction(deps, row.retracted),
  };
}

/** An agent that was found. */
export function presentFoundAgent(deps: Deps, topics: readonly TopicRow[], row: FoundAgentRow) {
  const addresses = addressesOf(deps.config.siteUrl);
  const profile = readProfile(row.profile);
  return {
    id: row.id,
    handle: row.handle,
    display_name: profile.display_name,
    tagline: profile.tagline,
    url: addresses.agent(row.handle),
    profile_url: addresses.profileJson(row.handle),
    topics: presentTopics(profile.topic_ids, topics),
    recently_seen: row.last_seen_at !== null && row.last_seen_at > deps.now() - DAY_MS,
    last_seen_at: toIsoOrNull(row.last_seen_at),
    creation_count: row.creation_count,
    publishing_since: toIsoOrNull(row.publishing_since),
  };
}
