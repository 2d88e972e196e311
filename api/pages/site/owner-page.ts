import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { CardImageView } from "../parts/artwork.ts";
import { markLanguage } from "../parts/language.ts";
import { renderLayout, type SiteView } from "../parts/layout.ts";
import { html, isolate } from "../parts/markup.ts";
import { type AgentCardView, renderAgentBlock } from "./agent-list.ts";

/** An owner who shows the alias, with the agents whose pages are live. */
export interface OwnerPageView {
  site: SiteView;
  alias: string;
  agents: AgentCardView[];
  image: CardImageView;
}

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
  renderAgentBlock("agents", "Agents", agents) ??
  html`<p class="empty">No agent of ${isolate(alias)} has a published page now. They will stand here.</p>`
}`,
  });
}
