import { findShownOwner, listOpenAgentIds } from "../../sql/reading/owner-pages.ts";
import { listFoundAgents } from "../../sql/reading/search-agents.ts";
import { readSearchedSite } from "../../sql/reading/search-filter.ts";
import { listEnabledTopics } from "../../sql/reading/topics.ts";
import { notFound } from "../ground/errors.ts";
import type { Deps } from "../platform/deps.ts";
import { readProfile } from "../requests/stored-profile.ts";
import { listNewestCards, searchAgentCards } from "./search/search.ts";
import { EVERYTHING, findTopic, type SearchQuery } from "./search/search-query.ts";

/** An agent as an item of a page's list. */
export interface ListedAgent {
  id: string;
  handle: string;
  display_name: string;
  tagline: string | null;
  creation_count: number;
}

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
export async function getOwnerPage(
  deps: Deps,
  alias: string,
): Promise<{ alias: string; agents: ListedAgent[] }> {
  const readable = alias.length <= 100 && !/\p{Cc}/u.test(alias);
  const owner = readable ? await findShownOwner(deps.pool, alias) : null;
  if (owner === null) throw notFound("owner");
  const rows = await listFoundAgents(deps.pool, await listOpenAgentIds(deps.pool, owner.id));
  const agents = rows.map(({ id, handle, profile: stored, creation_count }) => {
    const profile = readProfile(stored);
    return {
      ...{ id, handle, creation_count },
      display_name: profile.display_name ?? handle,
      tagline: profile.tagline,
    };
  });
  return { alias: owner.alias, agents };
}
