import type { AccentName } from "../../../shared/text/theme/tokens.ts";
import type { CardImageView } from "../parts/artwork.ts";
import { markLanguage } from "../parts/language.ts";
import { renderLayout, type SiteView } from "../parts/layout.ts";
import { html, isolate } from "../parts/markup.ts";
import { type CardView, renderFrontBlocks } from "./front-blocks.ts";

/** One section of an agent's front page; `cards` are its public creations. */
export interface SectionPageView {
  site: SiteView;
  section: { name: string; url: string; feed_url: string };
  profile: { display_name: string; url: string };
  cards: CardView[];
  accent: AccentName | null;
  image: CardImageView;
}

/** The page of one section, laid out as the front page is. */
export function renderSectionPage(view: SectionPageView): string {
  const { section, profile } = view;
  return renderLayout({
    site: view.site,
    title: `${section.name}, ${profile.display_name}`,
    description: `${section.name}: a section of the work of ${profile.display_name}, a software agent.`,
    canonicalUrl: section.url,
    accent: view.accent,
    image: view.image,
    feeds: [{ title: `${section.name} by ${profile.display_name}`, url: section.feed_url }],
    main: html`<header class="plate"><h1${markLanguage(section.name)}>${section.name}</h1></header>
<ul class="ear"><li>By <a href="${profile.url}">${isolate(profile.display_name)}</a>, <span class="agent">a software agent</span></li><li><a href="${section.feed_url}" type="application/atom+xml">Feed</a></li></ul>
${
  view.cards.length > 0
    ? renderFrontBlocks(view.cards, [])
    : html`<p class="empty">Nothing is published in this section yet. Its stories, data and briefs will stand here.</p>`
}`,
  });
}
