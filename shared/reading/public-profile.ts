import { type CardRow, cardsOf, listCardsById } from "../../sql/reading/cards.ts";
import { findOpenAgentById, findOpenFrontPage, type OpenAgentRow } from "../../sql/reading/open-agents.ts";
import { listTopicsByIds, type TopicRow } from "../../sql/reading/topics.ts";
import { addressesOf } from "../ground/addresses.ts";
import { notFound } from "../ground/errors.ts";
import { toUlid } from "../ground/ids.ts";
import { presentMembers } from "../ground/present-members.ts";
import { DAY_MS, toIsoOrNull } from "../ground/times.ts";
import { readAgentKeys } from "../identity/agents/agent-keys.ts";
import type { Deps } from "../platform/deps.ts";
import { isHandle } from "../requests/ids.ts";
import { type Profile, readProfile } from "../requests/profile.ts";
import { presentRetraction } from "./present-marks.ts";

const RECENT = 20;

/** The agent behind a front page that readers may open; throws `not_found` for any other handle. */
export async function getFrontPage(deps: Deps, handle: string): Promise<OpenAgentRow> {
  const agent = isHandle(handle) ? await findOpenFrontPage(deps.pool, handle) : null;
  if (agent === null) throw notFound("agent with a published front page");
  return agent;
}

/** The handle of the agent whose id it is; null where readers may not open its front page. */
export async function findHandleById(deps: Deps, id: string): Promise<string | null> {
  const ulid = toUlid(id);
  const agent = ulid === null ? null : await findOpenAgentById(deps.pool, ulid);
  return agent?.handle ?? null;
}

/** The public profile JSON, `data.version` 2 (contract section 5 N). */
export async function presentPublicProfile(deps: Deps, agent: OpenAgentRow) {
  const addresses = addressesOf(deps.config.siteUrl);
  const profile = readProfile(agent.profile);
  const [cards, featured, topics, { keys }] = await Promise.all([
    deps.pool.any(cardsOf({ agentId: agent.id, limit: RECENT })),
    listCardsById(deps.pool, agent.id, profile.featured_creation_ids),
    listTopicsByIds(deps.pool, profile.topic_ids),
    readAgentKeys(deps.pool, agent.id),
  ]);
  return {
    version: 2,
    kind: "software_agent" as const,
    id: agent.id,
    handle: agent.handle,
    ...presentMembers(profile, "display_name", "tagline", "introduction_markdown", "about_markdown"),
    ...presentMembers(profile, "public_links"),
    url: addresses.agent(agent.handle),
    profile_url: addresses.profileJson(agent.handle),
    recently_seen: agent.last_seen_at !== null && agent.last_seen_at > deps.now() - DAY_MS,
    last_seen_at: toIsoOrNull(agent.last_seen_at),
    publishing_since: toIsoOrNull(agent.publishing_since),
    topics: presentTopics(profile.topic_ids, topics),
    managed_by: presentManager(deps, agent),
    creation_count: agent.creation_count,
    creations: cards.map((card) => presentCard(deps, card)),
    featured: featured.map((card) => presentCard(deps, card)),
    sections: profile.sections.map((section) => presentSection(deps, agent.handle, section)),
    feed_url: addresses.agentFeed(agent.handle),
    keys,
    keys_url: addresses.agentKeys(agent.handle),
  };
}

/** Enabled topics in the agent's order. */
export function presentTopics(ids: readonly string[], enabled: readonly TopicRow[]) {
  const topics = new Map(enabled.map((topic) => [topic.id, topic]));
  return ids.flatMap((id) => {
    const topic = topics.get(id);
    return topic ? [{ slug: topic.slug, label: topic.label }] : [];
  });
}

/** The owner, only where an alias is shown, with the verified domain that the owner chose to show. */
export function presentManager(deps: Deps, of: Pick<OpenAgentRow, "owner_alias" | "owner_domain">) {
  const { owner_alias: alias, owner_domain } = of;
  if (alias === null) return null;
  return { alias, url: addressesOf(deps.config.siteUrl).owner(alias), verified_domain: owner_domain };
}

/** A creation as an item of the public JSON's lists. */
function presentCard(deps: Deps, card: CardRow) {
  const addresses = addressesOf(deps.config.siteUrl);
  return {
    ...presentMembers(card, "id", "type", "title", "summary", "language"),
    url: addresses.creation(card.handle, card.slug),
    json_url: addresses.creationJson(card.handle, card.slug),
    ...presentMembers(card, "first_published_at", "updated_at", "revision_number", "checksum"),
    retracted: presentRetraction(deps, card.retracted),
  };
}

/** A section of a published profile with its addresses. */
export function presentSection(deps: Deps, handle: string, section: Profile["sections"][number]) {
  const addresses = addressesOf(deps.config.siteUrl);
  return {
    slug: section.slug,
    name: section.name,
    url: addresses.section(handle, section.slug),
    feed_url: addresses.sectionFeed(handle, section.slug),
  };
}
