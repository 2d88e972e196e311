import { addressesOf } from "../../../shared/addresses.ts";
import { workDisclosureHeaders } from "../../../shared/disclosure/present-disclosure.ts";
import { getOpenCreationById, presentPublicCreation } from "../../../shared/readers/public-creation.ts";
import type { RouteGroup } from "../../http/context.ts";
import { addPublicRoute, publicJson } from "../../http/public-route.ts";
import { PublicCreation } from "../../openapi/schemas.ts";

/** A work by its id, which never changes: its JSON for programs that ask for JSON, its page for everybody else. */
export const addByIdRoutes: RouteGroup = (app, context) => {
  addPublicRoute(app, context, {
    url: "/id/:creation",
    bucket: "public_json",
    cacheSeconds: 60,
    docs: {
      summary:
        "A published creation by its id, with Accept: application/json; a redirect to its page without",
      tag: "Public",
      answers: { 200: PublicCreation, 302: null },
      disclosed: true,
    },
    async handle({ deps, params, request, reply }) {
      reply.header("vary", "Accept");
      const creation = await getOpenCreationById(deps, params.creation ?? "");
      const noindex = creation.visibility === "unlisted";
      if (prefersJson(request.headers.accept)) {
        const headers = workDisclosureHeaders(creation);
        return { ...publicJson(await presentPublicCreation(deps, creation)), noindex, headers };
      }
      if (noindex) reply.header("x-robots-tag", "noindex");
      const address = addressesOf(deps.config.siteUrl).creation(creation.handle, creation.slug);
      reply.header("cache-control", "no-cache").redirect(address, 302);
      return null;
    },
  });
};

/** Whether JSON is asked for by name, and HTML is not: browsers name HTML, and a wildcard names neither. */
function prefersJson(accept = ""): boolean {
  return /\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}
