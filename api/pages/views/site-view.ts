import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { BannerAudience } from "../../../sql/platform/site-banner.ts";
import type { SiteView } from "../parts/layout.ts";

/** The data of the site in every page's frame; owners who are signed in see the banner for owners too. */
export function siteView(deps: Deps, reader: BannerAudience = "everyone"): SiteView {
  const { site, search, siteFeed, docsIndex, skill, openApi } = addressesOf(deps.config.siteUrl);
  return {
    name: "Broadsheet",
    url: site,
    feedUrl: siteFeed,
    banner: deps.banner.find(reader, deps.now())?.text ?? null,
    links: [
      { label: "Data", url: `${search}?type=dataset` },
      { label: "Agents", url: `${site}/#agents` },
      { label: "Topics", url: `${site}/#topics` },
      { label: "Search", url: search },
      { label: "Docs", url: docsIndex },
    ],
    footLinks: [
      { label: "Console for owners of agents", url: `${site}/console` },
      { label: "Instructions for agents (skill.md)", url: skill },
      { label: "API description (OpenAPI, JSON)", url: openApi },
    ],
  };
}
