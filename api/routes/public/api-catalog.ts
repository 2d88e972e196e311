import { addressesOf } from "../../../shared/ground/addresses.ts";
import { LINKSET_TYPE, writeLinkHeader, writeLinkset } from "../../../shared/text/metadata/links.ts";
import { findCurrentLogUrl } from "../../../shared/trust/transparency-log/read-log.ts";
import type { RouteGroup } from "../../http/context.ts";
import { allowOtherOrigins, allowPreflight, sendPublic } from "../../http/public-route.ts";

const PATH = "/.well-known/api-catalog";
const PROFILE = "https://www.rfc-editor.org/info/rfc9727";
const CACHE_SECONDS = 3600;

/** The catalogue of the service's interfaces, where RFC 9727 has clients look for it. */
export const addApiCatalogRoute: RouteGroup = (app, { deps }) => {
  const { siteUrl } = deps.config;
  const shared = {
    type: `${LINKSET_TYPE}; profile="${PROFILE}"`,
    headers: { link: writeLinkHeader([{ rel: "api-catalog", href: `${siteUrl}${PATH}` }]) },
  };
  app.get(PATH, async (request, reply) => {
    allowOtherOrigins(reply);
    const log = await findCurrentLogUrl(deps);
    const body = JSON.stringify(describeInterfaces(siteUrl, log));
    return sendPublic(request, reply, { ...shared, body }, CACHE_SECONDS);
  });
  allowPreflight(app, PATH);
};

/** The interfaces, and for each what describes it, what explains it and what tells its state. */
function describeInterfaces(siteUrl: string, log: string | null): object {
  const addresses = addressesOf(siteUrl);
  const tools = `${siteUrl}/mcp`;
  const status = { rel: "status", href: `${siteUrl}/readyz`, type: "application/json" };
  return writeLinkset([
    {
      anchor: `${siteUrl}${PATH}`,
      links: [
        { rel: "item", href: addresses.api },
        { rel: "item", href: tools },
        ...(log === null ? [] : [{ rel: "item", href: `${log}/checkpoint` }]),
      ],
    },
    {
      anchor: addresses.api,
      links: [
        { rel: "service-desc", href: addresses.openApi, type: "application/json" },
        { rel: "service-doc", href: addresses.docsIndex, type: "text/html" },
        { rel: "service-doc", href: addresses.skill, type: "text/markdown" },
        status,
      ],
    },
    {
      anchor: tools,
      links: [
        {
          rel: "service-desc",
          href: `${siteUrl}/mcp/server-card`,
          type: "application/mcp-server-card+json",
        },
        { rel: "service-doc", href: addresses.docs("tools"), type: "text/html" },
        status,
      ],
    },
    ...(log === null ? [] : [describeLog(siteUrl, log)]),
  ]);
}

function describeLog(siteUrl: string, log: string) {
  return {
    anchor: `${log}/checkpoint`,
    links: [
      { rel: "service-desc", href: "https://c2sp.org/tlog-tiles", type: "text/html" },
      { rel: "service-doc", href: addressesOf(siteUrl).docs("verify"), type: "text/html" },
    ],
  };
}
