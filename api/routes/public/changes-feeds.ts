import { composeChangesFeed } from "../../../shared/reading/changes-feed.ts";
import { getOpenCreation } from "../../../shared/reading/public-creation.ts";
import type { RouteGroup } from "../../http/context.ts";
import { creationOf } from "../../http/page-cache/subjects.ts";
import { addPublicRoute } from "../../http/public-route.ts";

/** The Atom feed of the published revisions of one work. */
export const addChangesFeedRoutes: RouteGroup = (app, context) => {
  const feed = (url: string, paramsOf: (params: Record<string, string>) => Record<string, string>) =>
    addPublicRoute(app, context, {
      url,
      bucket: "feeds",
      cacheSeconds: 300,
      docs: {
        summary: "Atom feed of the published revisions of a creation",
        tag: "Public",
        answers: { 200: null },
        mediaTypes: ["application/atom+xml"],
      },
      subjectOf: (params) => creationOf(paramsOf(params)),
      async handle({ deps, params }) {
        const { handle = "", slug = "" } = paramsOf(params);
        const creation = await getOpenCreation(deps, handle, slug);
        const { body, modifiedMs } = await composeChangesFeed(deps, creation);
        return {
          type: "application/atom+xml; charset=utf-8",
          body,
          lastModifiedMs: modifiedMs,
          noindex: creation.visibility === "unlisted",
        };
      },
    });
  feed("/@:handle/:slug/changes.xml", (params) => params);
  // No section is called changes.xml, so this is the feed of the work whose slug is `section`.
  feed("/@:handle/section/changes.xml", (params) => ({ ...params, slug: "section" }));
};
