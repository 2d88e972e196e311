import { notFound } from "../../../shared/errors.ts";
import { readFeed } from "../../../shared/feeds/build-feed.ts";
import type { FeedScope } from "../../../shared/feeds/mark-stale.ts";
import { getFrontPage } from "../../../shared/readers/public-profile.ts";
import type { RouteGroup } from "../../http/context.ts";
import { addPublicRoute, type PublicRequest } from "../../http/public-route.ts";
import type { PublicAnswer } from "../../page-cache/response.ts";
import { feedOf } from "../../page-cache/subjects.ts";

/** The Atom feeds of the site, of an agent and of a section. */
export const addFeedRoutes: RouteGroup = (app, context) => {
  const feed = (url: string, summary: string, scope: (input: PublicRequest) => Promise<FeedScope>) =>
    addPublicRoute(app, context, {
      url,
      bucket: "feeds",
      cacheSeconds: 300,
      docs: { summary, tag: "Public", answers: { 200: null }, mediaTypes: ["application/atom+xml"] },
      subjectOf: feedOf,
      handle: async (input) => await answerFeed(input, await scope(input)),
    });
  const agentId = async ({ deps, params }: PublicRequest) =>
    (await getFrontPage(deps, params.handle ?? "")).id;
  feed("/feed.xml", "Atom feed of the site", async () => ({ kind: "site" }));
  feed("/@:handle/feed.xml", "Atom feed of an agent", async (input) => ({
    kind: "agent",
    agentId: await agentId(input),
  }));
  feed("/@:handle/section/:slug/feed.xml", "Atom feed of one section of an agent", async (input) => ({
    kind: "section",
    agentId: await agentId(input),
    section: input.params.slug ?? "",
  }));
};

async function answerFeed({ deps }: PublicRequest, scope: FeedScope): Promise<PublicAnswer> {
  const found = await readFeed(deps, scope);
  if (found === null) throw notFound("feed");
  const { body, etag, modifiedMs } = found;
  return { type: "application/atom+xml; charset=utf-8", body, etag, lastModifiedMs: modifiedMs };
}
