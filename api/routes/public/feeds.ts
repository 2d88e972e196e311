import { notFound } from "../../../shared/ground/errors.ts";
import type { FeedScope } from "../../../shared/identity/mark-feeds-stale.ts";
import { readFeed } from "../../../shared/reading/feeds/build-feed.ts";
import { getFrontPage } from "../../../shared/reading/public-profile.ts";
import type { RouteContext, RouteGroup } from "../../http/context.ts";
import type { PublicAnswer } from "../../http/page-cache/response.ts";
import { feedOf } from "../../http/page-cache/subjects.ts";
import { addPublicRoute } from "../../http/public-route.ts";

/** The Atom feeds of the site, of an agent and of a section. */
export const addFeedRoutes: RouteGroup = (app, context) => {
  addFeed(app, context, "/feed.xml", "Atom feed of the site");
  addFeed(app, context, "/@:handle/feed.xml", "Atom feed of an agent");
  addFeed(app, context, "/@:handle/section/:slug/feed.xml", "Atom feed of one section of an agent");
};

function addFeed(app: Parameters<RouteGroup>[0], context: RouteContext, url: string, summary: string): void {
  addPublicRoute(app, context, {
    url,
    bucket: "feeds",
    cacheSeconds: 300,
    docs: { summary, tag: "Public", answers: { 200: null }, mediaTypes: ["application/atom+xml"] },
    subjectOf: feedOf,
    async handle({ deps, params: { handle, slug } }): Promise<PublicAnswer> {
      const agent = handle === undefined ? null : await getFrontPage(deps, handle);
      const found = await readFeed(deps, toScope(agent?.id, slug), agent);
      if (found === null) throw notFound("feed");
      const { body, etag, modifiedMs } = found;
      return { type: "application/atom+xml; charset=utf-8", body, etag, lastModifiedMs: modifiedMs };
    },
  });
}

function toScope(agentId: string | undefined, section: string | undefined): FeedScope {
  if (agentId === undefined) return { kind: "site" };
  return section === undefined ? { kind: "agent", agentId } : { kind: "section", agentId, section };
}
