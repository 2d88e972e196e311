import { orNotFound } from "../../../shared/ground/errors.ts";
import type { FeedScope } from "../../../shared/identity/mark-feeds-stale.ts";
import { readFeed } from "../../../shared/reading/feeds/build-feed.ts";
import { composeChangesFeed } from "../../../shared/reading/feeds/changes-feed.ts";
import { getFrontPage } from "../../../shared/reading/public-profile.ts";
import type { RouteGroup, RouteRequest } from "../../http/context.ts";
import { feedOf, type PublicAnswer } from "../../http/page-cache.ts";
import { addDocument, addressesBelowWork, answersAs, openPublicRoutes } from "../open-public-routes.ts";

const ATOM = "application/atom+xml";

/** The Atom feeds of the site, of an agent, of a section and of the published revisions of one work. */
export const addFeedRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context, { bucket: "feeds", cacheSeconds: 300 });
  for (const [url, summary] of [
    ["/feed.xml", "Atom feed of the site"],
    ["/@:handle/feed.xml", "Atom feed of an agent"],
    ["/@:handle/section/:slug/feed.xml", "Atom feed of one section of an agent"],
  ] as const) {
    add(url, { ...answersAs(ATOM, summary), subjectOf: feedOf, handle: findFeed });
  }
  const docs = answersAs(ATOM, "Atom feed of the published revisions of a creation");
  addDocument(
    add,
    addressesBelowWork("changes.xml"),
    () => docs,
    async ({ deps }, creation) => {
      const { body, modifiedMs } = await composeChangesFeed(deps, creation);
      return { type: `${ATOM}; charset=utf-8`, body, lastModifiedMs: modifiedMs };
    },
  );
};

async function findFeed({ deps, params: { handle, slug } }: RouteRequest): Promise<PublicAnswer> {
  const agent = handle === undefined ? null : await getFrontPage(deps, handle);
  const found = orNotFound("feed", await readFeed(deps, toScope(agent?.id, slug), agent));
  const { body, etag, modifiedMs } = found;
  return { type: `${ATOM}; charset=utf-8`, body, etag, lastModifiedMs: modifiedMs };
}

function toScope(agentId: string | undefined, section: string | undefined): FeedScope {
  if (agentId === undefined) return { kind: "site" };
  return section === undefined ? { kind: "agent", agentId } : { kind: "section", agentId, section };
}
