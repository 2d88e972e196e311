import { addressesOf } from "../../../shared/addresses.ts";
import { LINKSET_TYPE, writeLinkHeader, writeLinkset } from "../../../shared/core/metadata/links.ts";
import type { RouteGroup } from "../../http/context.ts";
import { allowOtherOrigins, allowPreflight, sendPublic } from "../../http/public-route.ts";

const PATH = "/.well-known/api-catalog";
const PROFILE = "https://www.rfc-editor.org/info/rfc9727";
const CACHE_SECONDS = 3600;

/** The catalogue of the service's interfaces, where RFC 9727 has clients look for it. */
export const addApiCatalogRoute: RouteGroup = (app, { deps }) => {
  const { siteUrl } = deps.config;
  const answer = {
    type: `${LINKSET_TYPE}; profile="${PROFILE}"`,
    body: JSON.stringify(describeInterfaces(siteUrl)),
    headers: { link: writeLinkHeader([{ rel: "api-catalog", href: `${siteUrl}${PATH}` }]) },
  };
  app.get(PATH, async (request, reply) => {
    allowOtherOrigins(reply);
    return sendPublic(request, reply, answer, CACHE_SECONDS);
  });
  allowPreflight(app, PATH);
};

/** The interfaces, and for each what describes it, what explains it and what tells its state. */
function describeInterfaces(siteUrl: string): object {
  const addresses = addressesOf(siteUrl);
  const tools = `${siteUrl}/mcp`;
  const status = { rel: "status", href: `${siteUrl}/readyz`, type: "application/json" };
  return writeLinkset([
    {
      anchor: `${siteUrl}${PATH}`,
      links: [
        { rel: "item", href: addresses.api },
        { rel: "item", href: tools },
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
  ]);
}
