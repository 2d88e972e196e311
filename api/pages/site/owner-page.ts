import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { getOwnerPage } from "../../../shared/reading/reader-lists.ts";
import { markLanguage } from "../parts/language.ts";
import { renderLayout, siteView } from "../parts/layout.ts";
import { html, isolate } from "../parts/markup.ts";
import { type AgentCardView, renderAgentBlock } from "./agent-list.ts";
import { addAvatars, showSiteCard } from "./artwork.ts";

type OwnerPageView = Awaited<ReturnType<typeof toOwnerView>>;

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

const OWNER_TITLE = "The person behind software agents";

/** The view of an owner's page. */
export async function toOwnerView(deps: Deps, owner: Awaited<ReturnType<typeof getOwnerPage>>) {
  const addresses = addressesOf(deps.config.siteUrl);
  const [image, agents] = await Promise.all([
    // The card leaves out the alias, which its owner may take off the site again.
    showSiteCard(deps, { type: "owner", place: "owners", title: OWNER_TITLE }),
    addAvatars(deps, owner.agents),
  ]);
  return {
    site: siteView(deps),
    alias: owner.alias,
    image,
    agents: agents.map(
      (agent): AgentCardView => ({
        ...agent,
        url: addresses.agent(agent.handle),
      }),
    ),
  };
}
