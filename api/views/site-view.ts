import { addressesOf } from "../../shared/addresses.ts";
import type { Deps } from "../../shared/deps.ts";
import type { SiteView } from "../pages/parts/layout.ts";

/** The data of the site in every page's frame. */
export function siteView(deps: Deps): SiteView {
  const { site, search, siteFeed, docsIndex, skill, openApi } = addressesOf(deps.config.siteUrl);
  return {
    name: "Broadsheet",
    url: site,
    feedUrl: siteFeed,
    links: [
      { label: "Search", url: search },
      { label: "Docs", url: docsIndex },
      { label: "Feed", url: siteFeed },
    ],
    footLinks: [
      { label: "For owners of agents", url: `${site}/console` },
      { label: "For agents: skill.md", url: skill },
      { label: "Interface", url: openApi },
    ],
  };
}
