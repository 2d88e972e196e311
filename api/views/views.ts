import { addressesOf } from "../../shared/addresses.ts";
import { showFiles } from "../../shared/assets/statistics.ts";
import type { Deps } from "../../shared/deps.ts";
import { renderBody } from "../../shared/drawings/render-body.ts";
import { notFound } from "../../shared/errors.ts";
import { type Profile, readProfile } from "../../shared/profiles/profile-writes.ts";
import {
  findSectionsInUse,
  listFrontCards,
  listLinkedAgents,
} from "../../shared/readers/front-page-cards.ts";
import type { getHome } from "../../shared/readers/home.ts";
import { presentPublicCreation } from "../../shared/readers/public-creation.ts";
import { presentManager, presentPublicProfile, presentSection } from "../../shared/readers/public-profile.ts";
import { toIso, toIsoOrNull } from "../../shared/times.ts";
import type { Door } from "../http/context.ts";
import type { CreationPageView } from "../pages/site/creation-page.ts";
import type { CardView } from "../pages/site/front-blocks.ts";
import type { FrontPageView } from "../pages/site/front-page.ts";
import type { HomePageView } from "../pages/site/home-page.ts";
import type { SectionPageView } from "../pages/site/section-page.ts";
import {
  addAvatars,
  addCovers,
  showAgentArt,
  showCreationArt,
  showSectionCard,
  showSiteCard,
} from "./art-views.ts";
import { siteView } from "./site-view.ts";

const TAGLINE = "Real data, stories and briefs, researched and written by software agents.";

/** What texts are made into pages with. */
type Studio = Pick<Door, "deps" | "threads" | "onMissingPart">;
type OpenCreation = Parameters<typeof presentPublicCreation>[1];
type OpenAgent = Parameters<typeof presentPublicProfile>[1];
type Card = Awaited<ReturnType<typeof listFrontCards>>[number];

/** The view of a creation's page: its public JSON with what only the page shows. */
export async function toCreationView(door: Studio, creation: OpenCreation): Promise<CreationPageView> {
  const { deps } = door;
  const [data, files, art] = await Promise.all([
    presentPublicCreation(deps, creation),
    showFiles(door, creation.revision.id),
    showCreationArt(deps, creation),
  ]);
  const profile = readProfile(creation.profile);
  const { payload } = creation.revision;
  return {
    ...data,
    ...toRevisionFrame(deps, creation),
    title: data.title,
    agent: { ...data.agent, display_name: nameOf(profile, creation.handle) },
    visibility: creation.visibility === "unlisted" ? "unlisted" : "public",
    bodyHtml: data.body_markdown === null ? null : await renderBody(door, data.body_markdown),
    destinationLabel: typeof payload.destination_label === "string" ? payload.destination_label : null,
    files,
    showPreview: payload.show_preview !== false,
    lastSeenAt: toIsoOrNull(creation.last_seen_at),
    reportUrl: addressesOf(deps.config.siteUrl).report(creation.handle, creation.slug),
    art,
  };
}

/** What the pages of a creation and of its revisions share. */
export function toRevisionFrame(deps: Deps, creation: OpenCreation) {
  const addresses = addressesOf(deps.config.siteUrl);
  const { handle, slug, revision, type } = creation;
  const profile = readProfile(creation.profile);
  return {
    site: siteView(deps),
    creation: {
      type,
      title: revision.title,
      url: addresses.creation(handle, slug),
      revisions_url: addresses.revisions(handle, slug),
      revision_number: revision.revision_number,
    },
    profile: { ...toPerson(deps, profile, handle), handle, tagline: profile.tagline },
    managedBy: presentManager(deps, creation),
    accent: profile.accent,
    noindex: creation.visibility === "unlisted",
  };
}

/** The view of an agent's front page. */
export async function toFrontView(door: Studio, agent: OpenAgent): Promise<FrontPageView> {
  const { deps } = door;
  const profile = readProfile(agent.profile);
  const [data, cards, inUse, linked, art] = await Promise.all([
    presentPublicProfile(deps, agent),
    listFrontCards(deps, agent.id),
    findSectionsInUse(deps, agent.id),
    listLinkedAgents(deps, profile.linked_agent_ids),
    showAgentArt(deps, agent),
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
    introduction_html: await toHtml(door, profile.introduction_markdown, "introduction-"),
    about_html: await toHtml(door, profile.about_markdown, "about-"),
    public_links: profile.public_links,
    linked_agents: linked.map((row) => ({
      display_name: row.display_name ?? row.handle,
      tagline: row.tagline,
      url: addressesOf(deps.config.siteUrl).agent(row.handle),
    })),
    featured_creation_ids: profile.featured_creation_ids,
    cards: await toCards(deps, cards, profile, profile.featured_creation_ids),
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
  const cards = await listFrontCards(deps, agent.id, slug);
  return {
    site: siteView(deps),
    section: presentSection(deps, agent.handle, section),
    profile: toPerson(deps, profile, agent.handle),
    cards: await toCards(deps, cards, profile, []),
    accent: profile.accent,
    image: await showSectionCard(deps, agent, section),
  };
}

/** The view of the site's own front page. */
export async function toHomeView(
  deps: Deps,
  home: Awaited<ReturnType<typeof getHome>>,
): Promise<HomePageView> {
  const addresses = addressesOf(deps.config.siteUrl);
  return {
    site: siteView(deps),
    tagline: TAGLINE,
    image: await showSiteCard(deps, { type: "home", place: "", title: TAGLINE }),
    cards: await toCards(deps, home.cards, null, []),
    agents: (await addAvatars(deps, home.agents)).map((agent) => ({
      ...agent,
      url: addresses.agent(agent.handle),
    })),
    topics: home.topics.map(({ slug, label, description }) => ({
      label,
      description,
      url: addresses.topic(slug),
    })),
  };
}

/** Cards of one agent, by its profile, or, without one, of several; those that lead have covers. */
async function toCards(
  deps: Deps,
  cards: readonly Card[],
  profile: Profile | null,
  featuredIds: string[],
): Promise<CardView[]> {
  const views = cards.map((card) => toCard(deps, card, profile, profile === null));
  return await addCovers(deps, views, cards, { featuredIds, isOwnPage: profile !== null });
}

function toCard(deps: Deps, card: Card, profile: Profile | null, withAgent: boolean): CardView {
  const addresses = addressesOf(deps.config.siteUrl);
  const section = profile?.sections.find((entry) => entry.slug === card.section);
  return {
    id: card.id,
    type: card.type,
    title: card.title,
    summary: card.summary,
    coverUrl: null,
    url: addresses.creation(card.handle, card.slug),
    first_published_at: toIso(card.first_published_at),
    updated_at: toIso(card.updated_at),
    section: section ? { name: section.name, url: addresses.section(card.handle, section.slug) } : null,
    agent: withAgent ? { display_name: card.display_name, url: addresses.agent(card.handle) } : null,
  };
}

function toPerson(deps: Deps, profile: Profile, handle: string) {
  return { display_name: nameOf(profile, handle), url: addressesOf(deps.config.siteUrl).agent(handle) };
}

/** A live profile has a name; the handle only stands in for the type's sake. */
function nameOf(profile: Profile, handle: string): string {
  return profile.display_name ?? handle;
}

async function toHtml(door: Studio, markdown: string | null, idPrefix: string): Promise<string | null> {
  // These texts stand below a heading of the page.
  return markdown === null ? null : await renderBody(door, markdown, { idPrefix, topHeading: 3 });
}
