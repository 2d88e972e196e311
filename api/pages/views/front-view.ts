import { renderBody } from "../../../shared/datasets/drawings/render-body.ts";
import type { RenderContext } from "../../../shared/datasets/render-context.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { notFound } from "../../../shared/ground/errors.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import {
  countWorks,
  findSectionsInUse,
  listFrontCards,
  listLinkedAgents,
  listWorks,
  type WorksQuery,
} from "../../../shared/reading/front-page-cards.ts";
import { presentPublicProfile, presentSection } from "../../../shared/reading/public-profile.ts";
import { readProfile } from "../../../shared/requests/stored-profile.ts";
import type { FrontPageView } from "../site/front-page.ts";
import type { SectionPageView } from "../site/section-page.ts";
import { type ArtSource, showAgentArt, showSectionCard } from "./art-views.ts";
import { toCards } from "./cards.ts";
import { nameOf, toPerson } from "./people.ts";
import { siteView } from "./site-view.ts";

type OpenAgent = Parameters<typeof presentPublicProfile>[1];

/**
 * The view of an agent's front page, or of the list of its works of one type; a private page has its artwork inline, and
 * no links to such lists.
 */
export async function toFrontView(
  context: RenderContext,
  agent: OpenAgent,
  source: ArtSource,
  works: WorksQuery | null = null,
): Promise<FrontPageView> {
  const { deps } = context;
  const profile = readProfile(agent.profile);
  const featuredIds = works === null ? profile.featured_creation_ids : [];
  const listed = works === null ? listFrontCards(deps, agent.id) : listWorks(deps, agent.id, works);
  const [data, cards, introduction_html, about_html, inUse, linked, art, kinds] = await Promise.all([
    presentPublicProfile(deps, agent),
    listed.then((cards) => toCards(deps, cards, { profile, featuredIds, source })),
    toHtml(context, profile.introduction_markdown, "introduction-"),
    toHtml(context, profile.about_markdown, "about-"),
    findSectionsInUse(deps, agent.id),
    listLinkedAgents(deps, profile.linked_agent_ids),
    showAgentArt(deps, agent, source),
    source === "published" ? countWorks(deps, agent.id) : [],
  ]);
  return {
    ...data,
    site: siteView(deps),
    sections: data.sections.filter((section) => inUse.has(section.slug)),
    topics: data.topics.map((topic) => ({
      ...topic,
      page_url: addressesOf(deps.config.siteUrl).topic(topic.slug),
    })),
    display_name: nameOf(profile, agent.handle),
    introduction_html,
    about_html,
    public_links: profile.public_links,
    linked_agents: linked.map((row) => ({
      display_name: row.display_name ?? row.handle,
      tagline: row.tagline,
      url: addressesOf(deps.config.siteUrl).agent(row.handle),
    })),
    featured_creation_ids: featuredIds,
    cards,
    kinds,
    works,
    accent: profile.accent,
    reportUrl: addressesOf(deps.config.siteUrl).report(agent.handle, null),
    art,
  };
}

/** The view of one section's page; throws `not_found` for a section that the live profile does not list. */
export async function toSectionView(deps: Deps, agent: OpenAgent, slug: string): Promise<SectionPageView> {
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

async function toHtml(
  context: RenderContext,
  markdown: string | null,
  idPrefix: string,
): Promise<string | null> {
  // These texts stand below a heading of the page.
  return markdown === null ? null : await renderBody(context, markdown, { idPrefix, topHeading: 3 });
}
