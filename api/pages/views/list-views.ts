import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { getOwnerPage, getTopicPage } from "../../../shared/reading/reader-lists.ts";
import {
  MOST_RESULTS,
  type SearchResults,
  type searchAgentCards,
  type searchCards,
} from "../../../shared/reading/search/search.ts";
import type { SearchQuery } from "../../../shared/reading/search/search-query.ts";
import { listTopics } from "../../../shared/reading/search/topics.ts";
import type { PagerView } from "../parts/pager.ts";
import type { AgentCardView } from "../site/agent-list.ts";
import type { CardView } from "../site/front-blocks.ts";
import type { OwnerPageView } from "../site/owner-page.ts";
import type { SearchPageView } from "../site/search-page.ts";
import type { TopicPageView } from "../site/topic-page.ts";
import { addAvatars, paintAvatars, showSiteCard } from "./art-views.ts";
import { siteView } from "./site-view.ts";

type FoundAgent = Awaited<ReturnType<typeof searchAgentCards>>[number];
type FoundWorks = Awaited<ReturnType<typeof searchCards>>;

const NOTHING: SearchResults<never> = {
  ...{ items: [], total: 0, countStops: false },
  part: { page: 1, perPage: 20 },
};
const MOST_AGENTS = 6;
const SEARCH_TITLE = "Search the stories, data sets and briefs of every agent";
const OWNER_TITLE = "The person behind software agents";

/**
 * The view of the search page; `fault` says why the query could not be read, and leaves the results empty.
 */
export async function toSearchView(
  deps: Deps,
  search: Pick<SearchQuery, "text" | "topic" | "type" | "license" | "query"> & Partial<SearchQuery>,
  found: { agents: readonly FoundAgent[]; works: Promise<FoundWorks> } | { fault: string },
): Promise<SearchPageView> {
  const addresses = addressesOf(deps.config.siteUrl);
  const { text, type, license } = search;
  const [works, topics, agents, image] = await Promise.all([
    "works" in found ? found.works : NOTHING,
    search.topics ?? listTopics(deps),
    "agents" in found ? toAgentCards(deps, found.agents.slice(0, MOST_AGENTS)) : [],
    showSiteCard(deps, { type: "search", place: "search", title: SEARCH_TITLE }),
  ]);
  return {
    site: siteView(deps),
    form: { text, type, license, topic: search.topic?.slug ?? null, topics },
    agents,
    cards: works.items.map(toFoundCard),
    total: works.total,
    countsStop: works.countStops,
    pager: toPager(addresses.search, search.query, works),
    jsonUrl: withQuery(addresses.searchCreations, search.query),
    fault: "fault" in found ? found.fault : null,
    image,
  };
}

/** The view of a topic's page. */
export async function toTopicView(
  deps: Deps,
  found: Awaited<ReturnType<typeof getTopicPage>>,
): Promise<TopicPageView> {
  const addresses = addressesOf(deps.config.siteUrl);
  const { topic } = found;
  const [image, agents, works] = await Promise.all([
    showSiteCard(deps, { type: "topic", place: `topics/${topic.slug}`, title: topic.label }),
    toAgentCards(deps, found.agents),
    found.works,
  ]);
  return {
    site: siteView(deps),
    topic,
    image,
    agents,
    cards: works.items.map(toFoundCard),
    pager: toPager(addresses.topic(topic.slug), {}, works),
    jsonUrl: withQuery(addresses.searchCreations, { topic: topic.slug }),
  };
}

/** The view of an owner's page. */
export async function toOwnerView(
  deps: Deps,
  owner: Awaited<ReturnType<typeof getOwnerPage>>,
): Promise<OwnerPageView> {
  const addresses = addressesOf(deps.config.siteUrl);
  const [image, agents] = await Promise.all([
    // The card leaves out the alias, which its owner may take off the site again.
    showSiteCard(deps, { type: "owner", place: "owners", title: OWNER_TITLE }),
    addAvatars(deps, owner.agents),
  ]);
  return {
    site: siteView(deps),
    alias: owner.alias,
    image,
    agents: agents.map((agent) => ({
      ...agent,
      url: addresses.agent(agent.handle),
    })),
  };
}

async function toAgentCards(deps: Deps, agents: readonly FoundAgent[]): Promise<AgentCardView[]> {
  return (await paintAvatars(deps, agents)).map(
    ({ display_name, handle, tagline, url, creation_count, avatarUrl }) => ({
      ...{ display_name: display_name ?? handle, tagline, url, creation_count, avatarUrl },
    }),
  );
}

function toFoundCard({ agent, ...work }: FoundWorks["items"][number]): CardView {
  return {
    id: work.id,
    type: work.type,
    title: work.title,
    summary: work.summary,
    url: work.url,
    first_published_at: work.first_published_at,
    updated_at: work.updated_at,
    retracted: work.retracted !== null,
    section: null,
    coverUrl: null,
    agent: { display_name: agent.display_name ?? agent.handle, url: agent.url },
  };
}

function toPager(
  path: string,
  query: Record<string, string>,
  { total, countStops, part }: SearchResults<unknown>,
): PagerView {
  const lastPage = Math.max(1, Math.ceil(total / part.perPage));
  const linkTo = (page: number) => withQuery(path, page === 1 ? query : { ...query, page: String(page) });
  return {
    page: part.page,
    lastPage,
    // No page behind the most results is shown.
    hasMorePages: countStops && total < MOST_RESULTS,
    previousUrl: part.page > 1 ? linkTo(Math.min(part.page - 1, lastPage)) : null,
    nextUrl: part.page < lastPage ? linkTo(part.page + 1) : null,
  };
}

function withQuery(path: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}?${text}`;
}
