import {
  describeAuthorizationServer,
  describeResource,
  OPEN_PATH,
} from "../../../shared/identity/oauth/metadata.ts";
import { RESOURCE_PATHS } from "../../../shared/identity/oauth/parameters.ts";
import type { RouteGroup } from "../../http/context.ts";
import { allowOAuthPreflight } from "../../http/oauth-route.ts";
import { allowOtherOrigins, sendPublic } from "../../http/public-route.ts";
import { typedSlash } from "../../http/query.ts";

const CACHE_SECONDS = 3600;

/** Where clients read who gives out tokens for the tool server, and how. */
export const addOAuthMetadataRoutes: RouteGroup = (app, context) => {
  const { siteUrl } = context.deps.config;
  const documents = [
    {
      url: "/.well-known/oauth-authorization-server",
      describe: (): object => describeAuthorizationServer(siteUrl),
    },
    ...[...RESOURCE_PATHS, OPEN_PATH].map((path) => ({
      url: `/.well-known/oauth-protected-resource${path}`,
      describe: (slash: string) => describeResource(siteUrl, `${path}${slash}`),
    })),
  ];
  for (const { url, describe } of documents) {
    app.get(url, async (request, reply) => {
      allowOtherOrigins(reply);
      const body = JSON.stringify(describe(typedSlash(request)));
      const answer = { type: "application/json; charset=utf-8", body };
      return sendPublic(request, reply, answer, CACHE_SECONDS);
    });
    allowOAuthPreflight(app, url, "GET, HEAD, OPTIONS");
  }
};
