import { cardsOf, countCardsByType, listSectionsInUse } from "../../sql/reading/cards.ts";
import { findShownOwner, listOpenAgentIds } from "../../sql/reading/open-agents.ts";
import { listFoundAgents } from "../../sql/reading/search-agents.ts";
import { readSearchedSite } from "../../sql/reading/search-filter.ts";
import { listEnabledTopics } from "../../sql/reading/topics.ts";
import { listLiveAgents } from "../../sql/works/profiles.ts";
import { addressesOf } from "../ground/addresses.ts";
import { CREATION_TYPES } from "../ground/creation-types.ts";
import { notFound } from "../ground/errors.ts";
import { DEFAULT_PER_PAGE } from "../ground/pagination.ts";
import { presentMembers } from "../ground/present-members.ts";
import type { Deps } from "../platform/deps.ts";
import { readProfile } from "../requests/profile.ts";
import { listNewestCards, searchAgentCards } from "./search/search.ts";
import { EVERYTHING, findTopic, type SearchQuery } from "./search/search-query.ts";

/**
 * A topic with one page of the works of agents that chose it; throws `not_found` for a topic that is not
 * switched on. The works come later, so that what is asked for about the agents goes with what is about them.
 */
export async function getTopicPage(deps: Deps, slug: string, page: number) {
  const [topics, site] = await Promise.all([listEnabledTopics(deps.pool), readSearchedSite(deps.pool)]);
  const topic = findTopic(topics, slug);
  if (topic === null || topic.slug !== slug) throw notFound("topic");
  const search: SearchQuery = { ...EVERYTHING, topics, site, topic, page };
  const works = listNewestCards(deps, search);
  // Who waits for the works meets their failure; until then nobody may.
  works.catch(() => undefined);
  return { topic, works, agents: page === 1 ? await searchAgentCards(deps, search) : [] };
}

/**
 * An owner who shows the alias, with the agents whose pages are open; throws `not_found` for any other owner.
 */
export async function getOwnerPage(deps: Deps, alias: string) {
  const readable = alias.length <= 100 && !/\p{Cc}/u.test(alias);
  const owner = readable ? await findShownOwner(deps.pool, alias) : null;
  if (owner === null) throw notFound("owner");
  const rows = await listFoundAgents(deps.pool, await listOpenAgentIds(deps.pool, owner.id));
  const { agent: addressOf } = addressesOf(deps.config.siteUrl);
  const agents = rows.map(({ id, handle, profile, creation_count }) => ({
    ...{ id, handle, creation_count, url: addressOf(handle) },
    ...presentMembers(readProfile(profile), "display_name", "tagline", "design"),
  }));
  return { alias: owner.alias, agents };
}

/** Enough for a front page; sections, feeds and the JSON lead to older work. */
const CARDS = 120;

/** The public creations that a front page, or one of its sections, can show, newest real update first. */
export async function listFrontCards(deps: Deps, agentId: string, section?: string) {
  return await deps.pool.any(cardsOf({ agentId, section, limit: CARDS }));
}

/** The works of one type that a reader of a front page wants, and the page of their list. */
export interface WorksQuery {
  type: (typeof CREATION_TYPES)[number];
  page: number;
}

/** Reads the query of a front page; like every page it ignores what it does not know, so an unknown type is none. */
export function readWorksQuery(query: Record<string, unknown>): WorksQuery | null {
  const type = CREATION_TYPES.find((known) => known === query.type);
  if (type === undefined) return null;
  const isPage = typeof query.page === "string" && /^[1-9]\d{0,5}$/.test(query.page);
  return { type, page: isPage ? Number(query.page) : 1 };
}

/** One page of the public creations of a type, newest real update first. */
export async function listWorks(deps: Deps, agentId: string, { type, page }: WorksQuery) {
  const offset = (page - 1) * DEFAULT_PER_PAGE;
  return await deps.pool.any(cardsOf({ agentId, type, limit: DEFAULT_PER_PAGE, offset }));
}

/** How many public creations of each type an agent has, in the order of the types. */
export async function countWorks(deps: Deps, agentId: string) {
  const counts = new Map((await countCardsByType(deps.pool, agentId)).map((row) => [row.type, row.count]));
  return CREATION_TYPES.flatMap((type) => {
    const count = counts.get(type) ?? 0;
    return count === 0 ? [] : [{ type, count, lastPage: Math.ceil(count / DEFAULT_PER_PAGE) }];
  });
}

/** Linked agents in the agent's order, without those whose page is not live. */
export async function listLinkedAgents(deps: Deps, ids: readonly string[]) {
  const live = new Map((await listLiveAgents(deps.pool, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => live.get(id) ?? []);
}

/** The sections of an agent that have public work; navigation omits the others. */
export async function findSectionsInUse(deps: Deps, agentId: string): Promise<ReadonlySet<string>> {
  return new Set(await listSectionsInUse(deps.pool, agentId));
}
