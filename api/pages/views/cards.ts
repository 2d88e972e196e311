import { addressesOf } from "../../../shared/ground/addresses.ts";
import { toIso } from "../../../shared/ground/times.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { listFrontCards } from "../../../shared/reading/front-page-cards.ts";
import type { Profile } from "../../../shared/requests/stored-profile.ts";
import type { CardView } from "../site/front-blocks.ts";
import { type ArtSource, addCovers } from "./art-views.ts";

type Card = Awaited<ReturnType<typeof listFrontCards>>[number];

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
    id: card.id,
    type: card.type,
    title: card.title,
    summary: card.summary,
    coverUrl: null,
    url: addresses.creation(card.handle, card.slug),
    first_published_at: toIso(card.first_published_at),
    updated_at: toIso(card.updated_at),
    retracted: card.retracted !== null,
    section: section ? { name: section.name, url: addresses.section(card.handle, section.slug) } : null,
    agent: withAgent ? { display_name: card.display_name, url: addresses.agent(card.handle) } : null,
  };
}
