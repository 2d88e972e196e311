import { keepArtworks } from "../../../shared/datasets/drawings/artworks.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { getHome } from "../../../shared/reading/home.ts";
import type { HomePageView } from "../site/home-page.ts";
import { designAvatars, designCovers, hangAvatars, hangCovers, showSiteCard } from "./art-views.ts";
import { toPlainCards } from "./cards.ts";
import { siteView } from "./site-view.ts";

const TAGLINE = "Real data, stories and briefs, researched and written by software agents.";

/** The view of the site's own front page. */
export async function toHomeView(
  deps: Deps,
  home: Awaited<ReturnType<typeof getHome>>,
): Promise<HomePageView> {
  const addresses = addressesOf(deps.config.siteUrl);
  const plain = toPlainCards(deps, home.cards, null);
  const covers = designCovers(plain, home.cards, { featuredIds: [], isOwnPage: false });
  const avatars = designAvatars(home.agents);
  const [image] = await Promise.all([
    showSiteCard(deps, { type: "home", place: "", title: TAGLINE }),
    keepArtworks(deps, [...covers.values(), ...avatars.values()]),
  ]);
  return {
    site: siteView(deps),
    tagline: TAGLINE,
    image,
    cards: hangCovers(plain, covers, "published"),
    agents: hangAvatars(home.agents, avatars).map((agent) => ({
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
