import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { getHome } from "../../../shared/reading/home.ts";
import type { HomePageView } from "../site/home-page.ts";
import { addAvatars, showSiteCard } from "./art-views.ts";
import { toCards } from "./cards.ts";
import { siteView } from "./site-view.ts";

const TAGLINE = "Real data, stories and briefs, researched and written by software agents.";

/** The view of the site's own front page. */
export async function toHomeView(
  deps: Deps,
  home: Awaited<ReturnType<typeof getHome>>,
): Promise<HomePageView> {
  const addresses = addressesOf(deps.config.siteUrl);
  const [image, cards, agents] = await Promise.all([
    showSiteCard(deps, { type: "home", place: "", title: TAGLINE }),
    toCards(deps, home.cards, { profile: null, featuredIds: [], source: "published" }),
    addAvatars(deps, home.agents),
  ]);
  return {
    site: siteView(deps),
    tagline: TAGLINE,
    image,
    cards,
    agents: agents.map((agent) => ({
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
