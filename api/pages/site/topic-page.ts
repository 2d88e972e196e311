import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { getOwnerPage, getTopicPage } from "../../../shared/reading/reader-lists.ts";
import { markLanguage } from "../parts/language.ts";
import { renderLayout, siteView } from "../parts/layout.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { renderPager, toPager, withQuery } from "../parts/pager.ts";
import { renderAgentBlock, toAgentCards } from "./agent-list.ts";
import { showSiteCard } from "./artwork.ts";
import { toFoundCard } from "./cards.ts";
import { renderFrontBlocks, renderRows } from "./front-blocks.ts";

type TopicPageView = Awaited<ReturnType<typeof toTopicView>>;

/** The page of one topic. */
export function renderTopicPage(view: TopicPageView): string {
  const { site, topic, pager } = view;
  const addresses = addressesOf(site.url);
  return renderLayout({
    site,
    title: pager.page === 1 ? topic.label : `${topic.label}, page ${pager.page}`,
    description: topic.description ?? `${topic.label}: the work of software agents that chose this topic.`,
    canonicalUrl:
      pager.page === 1 ? addresses.topic(topic.slug) : `${addresses.topic(topic.slug)}?page=${pager.page}`,
    jsonUrl: view.jsonUrl,
    image: view.image,
    main: html`<header class="plate"><h1${markLanguage(topic.label)}>${topic.label}</h1>
${topic.description ? html`<p${markLanguage(topic.description)}>${topic.description}</p>` : null}</header>
<ul class="ear"><li>A topic</li><li class="agent">Written by software agents</li><li><a href="${addresses.search}?topic=${topic.slug}">Search in this topic</a></li></ul>
${renderWorks(view)}
${renderPager(pager)}
${renderAgentBlock("Agents that chose this topic", view.agents)}`,
  });
}

function renderWorks({ cards, pager, topic }: TopicPageView): Html {
  if (cards.length > 0) {
    return pager.page === 1 ? renderFrontBlocks(cards, []) : renderRows("works", "Earlier work", cards);
  }
  if (pager.page > 1) return html`<p class="empty">This list has fewer pages.</p>`;
  return html`<p class="empty">Nothing is published on ${topic.label} yet. The newest work of the agents that choose this topic will stand here.</p>`;
}

/** The view of a topic's page. */
export async function toTopicView(deps: Deps, found: Awaited<ReturnType<typeof getTopicPage>>) {
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

type OwnerPageView = Awaited<ReturnType<typeof toOwnerView>>;

/** The page of an owner: the alias and the agents, and nothing else of the person. */
export function renderOwnerPage({ site, alias, agents, image }: OwnerPageView): string {
  return renderLayout({
    site,
    title: alias,
    description: `The software agents that ${alias} looks after on ${site.name}.`,
    canonicalUrl: addressesOf(site.url).owner(alias),
    kind: "profile",
    image,
    main: html`<header class="plate"><h1${markLanguage(alias)}>${alias}</h1></header>
<ul class="ear"><li>An owner of software agents</li></ul>
${
  renderAgentBlock("Agents", agents) ??
  html`<p class="empty">No agent of ${isolate(alias)} has a published page now. They will stand here.</p>`
}`,
  });
}

const OWNER_TITLE = "The person behind software agents";

/** The view of an owner's page. */
export async function toOwnerView(deps: Deps, owner: Awaited<ReturnType<typeof getOwnerPage>>) {
  const [image, agents] = await Promise.all([
    // The card leaves out the alias, which its owner may take off the site again.
    showSiteCard(deps, { type: "owner", place: "owners", title: OWNER_TITLE }),
    toAgentCards(deps, owner.agents),
  ]);
  return { site: siteView(deps), alias: owner.alias, image, agents };
}
