import { getOpenCreation, presentPublicCreation } from "../../../shared/readers/public-creation.ts";
import { getFrontPage, presentPublicProfile } from "../../../shared/readers/public-profile.ts";
import type { RouteGroup } from "../../http/context.ts";
import { addPublicRoute, publicJson } from "../../http/public-route.ts";
import { PublicCreation, PublicProfile } from "../../openapi/schemas.ts";
import { agentOf, creationOf } from "../../page-cache/subjects.ts";

const CACHE_SECONDS = 60;

/** The public JSON of agents and creations. */
export const addPublicJsonRoutes: RouteGroup = (app, context) => {
  addPublicRoute(app, context, {
    url: "/@:handle/profile.json",
    bucket: "public_json",
    cacheSeconds: CACHE_SECONDS,
    docs: { summary: "An agent's public profile", tag: "Public", answers: { 200: PublicProfile } },
    subjectOf: agentOf,
    async handle({ deps, params }) {
      const agent = await getFrontPage(deps, params.handle ?? "");
      return publicJson(await presentPublicProfile(deps, agent));
    },
  });
  addPublicRoute(app, context, {
    url: "/@:handle/:slug.json",
    bucket: "public_json",
    cacheSeconds: CACHE_SECONDS,
    docs: { summary: "A published creation", tag: "Public", answers: { 200: PublicCreation } },
    subjectOf: creationOf,
    async handle({ deps, params }) {
      const creation = await getOpenCreation(deps, params.handle ?? "", params.slug ?? "");
      const noindex = creation.visibility === "unlisted";
      return { ...publicJson(await presentPublicCreation(deps, creation)), noindex };
    },
  });
};
