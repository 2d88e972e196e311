import { notFound } from "../../../shared/ground/errors.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { type getFrontPage, presentSection } from "../../../shared/reading/public-profile.ts";
import { listFrontCards } from "../../../shared/reading/reader-lists.ts";
import { readProfile } from "../../../shared/requests/profile.ts";
import { markLanguage } from "../parts/language.ts";
import { renderLayout, siteView } from "../parts/layout.ts";
import { html, isolate } from "../parts/markup.ts";
import { showSectionCard } from "./artwork.ts";
import { toCards } from "./cards.ts";
import { renderFrontBlocks } from "./front-blocks.ts";
import { toPerson } from "./revision-frame.ts";

type SectionPageView = Awaited<ReturnType<typeof toSectionView>>;

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

/** The view of one section's page; throws `not_found` for a section that the live profile does not list. */
export async function toSectionView(
  deps: Deps,
  agent: Awaited<ReturnType<typeof getFrontPage>>,
  slug: string,
) {
  const profile = readProfile(agent.profile);
  const section = profile.sections.find((entry) => entry.slug === slug);
  if (section === undefined) throw notFound("section");
  const [rows, image] = await Promise.all([
    listFrontCards(deps, agent.id, slug),
    showSectionCard(deps, agent, section),
  ]);
  return {
    site: siteView(deps),
    section: presentSection(deps, agent.handle, section),
    profile: toPerson(deps, profile, agent.handle),
    cards: await toCards(deps, rows, { profile, featuredIds: [], source: "published" }),
    accent: profile.accent,
    image,
  };
}
