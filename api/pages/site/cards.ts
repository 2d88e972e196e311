import {
  type Artist,
  type Artwork,
  coverOfCreation,
} from "../../../shared/datasets/drawings/artwork-recipes.ts";
import { keepArtworks } from "../../../shared/datasets/drawings/artworks.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { presentMembers } from "../../../shared/ground/present-members.ts";
import { toIso } from "../../../shared/ground/times.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { listFrontCards } from "../../../shared/reading/reader-lists.ts";
import type { searchCards } from "../../../shared/reading/search/search.ts";
import type { Profile } from "../../../shared/requests/profile.ts";
import { type Arrangeable, arrangeFrontPage } from "../../../shared/text/front-page/arrange.ts";
import { type ArtSource, linkPicture } from "./artwork.ts";

type Card = Awaited<ReturnType<typeof listFrontCards>>[number];

/** A creation as a front page shows it; `agent` is set on pages that hold the work of several. */
export interface CardView extends Arrangeable {
  title: string;
  summary: string | null;
  language: string | null;
  url: string;
  section: { name: string; url: string } | null;
  agent: { display_name: string; url: string } | null;
  /** Only on cards that lead. */
  coverUrl: string | null;
}

/** Cards of one agent, by its profile, or, without one, of several; those that lead have covers. */
export async function toCards(
  deps: Deps,
  cards: readonly Card[],
  { profile, ...covers }: { profile: Profile | null; featuredIds: string[]; source: ArtSource },
): Promise<CardView[]> {
  const views = toPlainCards(deps, cards, profile);
  return await addCovers(deps, views, cards, { ...covers, isOwnPage: profile !== null });
}

/** The same without covers. */
export function toPlainCards(deps: Deps, cards: readonly Card[], profile: Profile | null): CardView[] {
  return cards.map((card) => toCard(deps, card, profile, profile === null));
}

function toCard(deps: Deps, card: Card, profile: Profile | null, withAgent: boolean): CardView {
  const addresses = addressesOf(deps.config.siteUrl);
  const section = profile?.sections.find((entry) => entry.slug === card.section);
  return {
    ...presentMembers(card, "id", "type", "title", "summary", "language"),
    coverUrl: null,
    url: addresses.creation(card.handle, card.slug),
    first_published_at: toIso(card.first_published_at),
    updated_at: toIso(card.updated_at),
    retracted: card.retracted !== null,
    section: section ? { name: section.name, url: addresses.section(card.handle, section.slug) } : null,
    agent: withAgent ? { display_name: card.display_name, url: addresses.agent(card.handle) } : null,
  };
}

/** A work that was found as a card without a cover. */
export function toFoundCard({
  agent,
  ...work
}: Awaited<ReturnType<typeof searchCards>>["items"][number]): CardView {
  return {
    ...presentMembers(work, "id", "type", "title", "summary", "language", "url"),
    first_published_at: work.first_published_at,
    updated_at: work.updated_at,
    retracted: work.retracted !== null,
    section: null,
    coverUrl: null,
    agent: { display_name: agent.display_name ?? agent.handle, url: agent.url },
  };
}

/**
 * Puts covers on the cards that lead a front page; the others stand without. Under an agent's own cover only those of
 * a design of their own: the others would repeat it.
 */
async function addCovers(
  deps: Deps,
  views: CardView[],
  rows: readonly Card[],
  { source, ...page }: { featuredIds: string[]; isOwnPage: boolean; source: ArtSource },
): Promise<CardView[]> {
  const covers = designCovers(views, rows, page);
  if (source === "published") await keepArtworks(deps, [...covers.values()]);
  return hangCovers(views, covers, source);
}

/** The covers of the cards that lead a front page, by the cards' ids. */
export function designCovers(
  views: CardView[],
  rows: readonly Card[],
  { featuredIds, isOwnPage }: { featuredIds: string[]; isOwnPage: boolean },
): Map<string, Artwork> {
  const { lead, followers } = arrangeFrontPage(views, featuredIds);
  const leading = new Set([lead, ...followers].map((card) => card?.id));
  return new Map(
    rows
      .filter(({ id, design }) => leading.has(id) && !(isOwnPage && design == null))
      .map((row) => [row.id, coverOfCreation(toArtist(row), row)]),
  );
}

/** Puts covers on cards. */
export function hangCovers(
  views: CardView[],
  covers: ReadonlyMap<string, Artwork>,
  source: ArtSource,
): CardView[] {
  return views.map((view) => {
    const cover = covers.get(view.id);
    return cover === undefined ? view : { ...view, coverUrl: linkPicture(cover, source) };
  });
}

function toArtist(row: Card): Artist {
  const profile = { display_name: row.display_name, design: row.publication_design };
  return { agentId: row.agent_id, handle: row.handle, profile };
}
