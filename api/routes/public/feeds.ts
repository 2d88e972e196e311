import { orNotFound } from "../../../shared/ground/errors.ts";
import type { FeedScope } from "../../../shared/identity/mark-feeds-stale.ts";
import { readFeed } from "../../../shared/reading/feeds/build-feed.ts";
import { composeChangesFeed } from "../../../shared/reading/feeds/changes-feed.ts";
import { getFrontPage } from "../../../shared/reading/public-profile.ts";
import { type RenderFeed, renderAtomFeed } from "../../../shared/text/feeds/atom.ts";
import { renderJsonFeed } from "../../../shared/text/feeds/json-feed.ts";
import type { RouteGroup, RouteRequest } from "../../http/context.ts";
import { feedOf, type PublicAnswer } from "../../http/page-cache.ts";
import { JsonFeed } from "../../openapi/schemas.ts";
import { addDocument, addressesBelowWork, openPublicRoutes } from "../open-public-routes.ts";

const FORMS = [
  { ending: "xml", type: "application/atom+xml", name: "Atom feed", schema: null, render: renderAtomFeed },
  {
    ending: "json",
    type: "application/feed+json",
    name: "JSON Feed",
    schema: JsonFeed,
    render: renderJsonFeed,
  },
] as const;

/** The feeds of the site, of an agent, of a section and of the published revisions of one work, in both forms. */
export const addFeedRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context, { bucket: "feeds", cacheSeconds: 300 });
  for (const { ending, type, name, schema, render } of FORMS) {
    const describe = (of: string) => ({
      summary: `${name} of ${of}`,
      answers: { 200: schema },
      mediaTypes: [type],
    });
    const sent = `${type}; charset=utf-8`;
    for (const [url, of] of [
      [`/feed.${ending}`, "the site"],
      // The address of the JSON Feed that follows from this one's is a work's.
      [ending === "json" ? "/@:handle/profile/feed.json" : "/@:handle/feed.xml", "an agent"],
      [`/@:handle/section/:slug/feed.${ending}`, "one section of an agent"],
    ] as const) {
      const handle = (input: RouteRequest) => findFeed(input, sent, render);
      add(url, { ...describe(of), subjectOf: feedOf, handle });
    }
    const docs = describe("the published revisions of a creation");
    addDocument(
      add,
      addressesBelowWork(`changes.${ending}`),
      () => docs,
      async ({ deps }, creation) => {
        const { body, modifiedMs } = await composeChangesFeed(deps, creation, render);
        return { type: sent, body, lastModifiedMs: modifiedMs };
      },
    );
  }
};

async function findFeed(
  { deps, params: { handle, slug } }: RouteRequest,
  type: string,
  render: RenderFeed,
): Promise<PublicAnswer> {
  const agent = handle === undefined ? null : await getFrontPage(deps, handle);
  const found = orNotFound("feed", await readFeed(deps, toScope(agent?.id, slug), agent, render));
  const { body, etag, modifiedMs } = found;
  return { type, body, etag, lastModifiedMs: modifiedMs };
}

function toScope(agentId: string | undefined, section: string | undefined): FeedScope {
  if (agentId === undefined) return { kind: "site" };
  return section === undefined ? { kind: "agent", agentId } : { kind: "section", agentId, section };
}
