import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { CardImageView } from "../parts/artwork.ts";
import { renderLayout, type SiteView } from "../parts/layout.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { type PagerView, renderPager } from "../parts/pager.ts";
import { countNoun } from "../parts/words.ts";
import { type AgentCardView, renderAgentBlock } from "./agent-list.ts";
import { type CardView, renderRows } from "./front-blocks.ts";
import { renderSearchForm, type SearchFormView } from "./search-form.ts";

/** The results of a search; `fault` says why the query could not be read. */
export interface SearchPageView {
  site: SiteView;
  form: SearchFormView;
  agents: AgentCardView[];
  cards: CardView[];
  total: number;
  countsStop: boolean;
  pager: PagerView;
  jsonUrl: string;
  fault: string | null;
  image: CardImageView;
}

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
  return html`${renderAgentBlock("agents", "Agents", agents)}
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
