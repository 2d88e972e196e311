import { describeAuthorizationServer, describeResource } from "../../../shared/identity/oauth/metadata.ts";
import { RESOURCE_PATHS } from "../../../shared/identity/oauth/parameters.ts";
import type { RouteGroup } from "../../http/context.ts";
import { allowOAuthPreflight } from "../../http/oauth-route.ts";
import { allowOtherOrigins, sendPublic } from "../../http/public-route.ts";

const CACHE_SECONDS = 3600;

/** Where clients read who gives out tokens for the tool server, and how. */
export const addOAuthMetadataRoutes: RouteGroup = (app, context) => {
  const { siteUrl } = context.deps.config;
  const documents: [string, object][] = [
    ["/.well-known/oauth-authorization-server", describeAuthorizationServer(siteUrl)],
    ...RESOURCE_PATHS.map((path): [string, object] => [
      `/.well-known/oauth-protected-resource${path}`,
      describeResource(siteUrl, path),
    ]),
  ];
  for (const [url, document] of documents) {
    const answer = { type: "application/json; charset=utf-8", body: JSON.stringify(document) };
    app.get(url, async (request, reply) => {
      allowOtherOrigins(reply);
      return sendPublic(request, reply, answer, CACHE_SECONDS);
    });
    allowOAuthPreflight(app, url, "GET, HEAD, OPTIONS");
  }
};
