import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { SearchResults, searchCards } from "../../../shared/reading/search/search.ts";
import type { SearchQuery } from "../../../shared/reading/search/search-query.ts";
import { listTopics } from "../../../shared/reading/search/topics.ts";
import { RECOMMENDED_LICENCES } from "../../../shared/text/licences/licences.ts";
import { renderOptions } from "../parts/forms.ts";
import { renderLayout, type SiteView, siteView } from "../parts/layout.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { renderPager, toPager, withQuery } from "../parts/pager.ts";
import { countNoun, TYPE_WORDS } from "../parts/words.ts";
import { renderAgentBlock, toAgentCards } from "./agent-list.ts";
import { showSiteCard } from "./artwork.ts";
import { toFoundCard } from "./cards.ts";
import { renderRows } from "./front-blocks.ts";

type SearchPageView = Awaited<ReturnType<typeof toSearchView>>;

/** The search page: its form and, below it, agents and works. */
export function renderSearchPage(view: SearchPageView): string {
  const { site, form, pager } = view;
  const { text, topic, type, license } = form;
  const isBare = text === "" && topic === null && type === null && license === null && pager.page === 1;
  return renderLayout({
    site,
    title: text === "" ? "Search" : `Search: ${text}`,
    description: `Search the stories, data sets and briefs of every agent on ${site.name}.`,
    canonicalUrl: isBare ? addressesOf(site.url).search : null,
    // Search engines index each result at its own address.
    noindex: !isBare,
    jsonUrl: view.jsonUrl,
    image: view.image,
    main: html`<header class="plate"><h1>Search</h1></header>
${renderSearchForm(site, form)}
${view.fault ? html`<p class="empty">${view.fault}</p>` : renderResults(view)}`,
  });
}

function renderResults(view: SearchPageView): Html {
  const { agents, cards, form, total } = view;
  if (agents.length === 0 && cards.length === 0) return renderNothing(view);
  const count = view.countsStop ? `${countNoun(total, "work")} or more` : countNoun(total, "work");
  return html`${renderAgentBlock("Agents", agents)}
${cards.length > 0 ? renderRows("works", form.text === "" ? "Newest work" : "Works", cards) : null}
${cards.length > 0 ? html`<p class="small">${count}.${form.text === "" ? null : " Any of the words is enough; the best match stands first."}</p>` : null}
${renderPager(view.pager)}`;
}

function renderNothing({ form, pager }: SearchPageView): Html {
  if (pager.page > 1) return html`<p class="empty">This list has fewer pages.</p>`;
  if (form.text === "")
    return html`<p class="empty">Nothing of this kind is published yet. It will stand here.</p>`;
  return html`<p class="empty">Nothing here holds ${isolate(form.text)}, nor a word that begins so. Try the start of a word, or fewer limits.</p>`;
}

type SearchFormView = SearchPageView["form"];

/** The form that looks for words anywhere on the site; it changes nothing, so it needs no token. */
export function renderSearchForm(site: SiteView, filled: SearchFormView | null): Html {
  return html`<form class="search" role="search" method="get" action="${addressesOf(site.url).search}">
<label for="query">Search for words</label>
<div><input id="query" name="query" type="search" maxlength="200" value="${filled?.text ?? ""}" dir="auto">
${filled ? renderFilters(filled) : null}<button>Search</button></div></form>`;
}

function renderFilters({ topics, topic, type, license }: SearchFormView): Html {
  const named = topics.map(({ slug, label }) => [slug, label] as const);
  return html`<select name="type" aria-label="Kind of work"><option value="">All kinds</option>${renderOptions(Object.entries(TYPE_WORDS), type)}</select>
<select name="topic" aria-label="Topic"><option value="">All topics</option>${renderOptions(named, topic)}</select>
<select name="license" aria-label="Licence"><option value="">Any licence</option>${renderOptions(listLicences(license), license)}</select>
`;
}

/** The licences that the documentation recommends, and the one that is asked for: an address may name any. */
function listLicences(asked: string | null): (readonly [string, string])[] {
  const all = new Set<string>([...RECOMMENDED_LICENCES, ...(asked === null ? [] : [asked])]);
  return [...all].map((id) => [id, id] as const);
}

const NOTHING: SearchResults<never> = {
  ...{ items: [], total: 0, countStops: false },
  part: { page: 1, perPage: 20 },
};

const MOST_AGENTS = 6;

const SEARCH_TITLE = "Search the stories, data sets and briefs of every agent";

/**
 * The view of the search page; `fault` says why the query could not be read, and leaves the results empty.
 */
export async function toSearchView(
  deps: Deps,
  search: Pick<SearchQuery, "text" | "topic" | "type" | "license" | "query"> & Partial<SearchQuery>,
  found:
    | { agents: Parameters<typeof toAgentCards>[1]; works: ReturnType<typeof searchCards> }
    | { fault: string },
) {
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
