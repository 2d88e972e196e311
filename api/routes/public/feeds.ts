import { addressesOf, jsonFeedOf } from "../../../shared/ground/addresses.ts";
import { orNotFound } from "../../../shared/ground/errors.ts";
import type { FeedScope } from "../../../shared/identity/mark-feeds-stale.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { readFeed } from "../../../shared/reading/feeds/build-feed.ts";
import { composeChangesFeed } from "../../../shared/reading/feeds/changes-feed.ts";
import { getFrontPage } from "../../../shared/reading/public-profile.ts";
import { type RenderFeed, renderAtomFeed } from "../../../shared/text/feeds/atom.ts";
import { renderJsonFeed } from "../../../shared/text/feeds/json-feed.ts";
import type { RouteGroup, RouteRequest } from "../../http/context.ts";
import { feedOf } from "../../http/page-cache.ts";
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
      const handle = async (input: RouteRequest) => ({
        ...(await findFeed(input, render)),
        type: sent,
        headers: linkHub(input.deps, addressFeed(input), ending),
      });
      add(url, { ...describe(of), subjectOf: feedOf, handle });
    }
    const docs = describe("the published revisions of a creation");
    addDocument(
      add,
      addressesBelowWork(`changes.${ending}`),
      () => docs,
      async ({ deps }, creation) => {
        const { body, modifiedMs } = await composeChangesFeed(deps, creation, render);
        const self = addressesOf(deps.config.siteUrl).changesFeed(creation.handle, creation.slug);
        return { type: sent, body, lastModifiedMs: modifiedMs, headers: linkHub(deps, self, ending) };
      },
    );
  }
};

/** What a subscriber looks for first, where the service has a hub: the hub, and the address to subscribe to. */
function linkHub({ config }: Deps, atomUrl: string, ending: "xml" | "json"): Record<string, string> {
  if (config.websubHub === undefined) return {};
  const self = ending === "xml" ? atomUrl : jsonFeedOf(atomUrl);
  return { link: `<${config.websubHub}>; rel="hub", <${self}>; rel="self"` };
}

function addressFeed({ deps, params: { handle, slug } }: RouteRequest): string {
  const { siteFeed, agentFeed, sectionFeed } = addressesOf(deps.config.siteUrl);
  if (handle === undefined) return siteFeed;
  return slug === undefined ? agentFeed(handle) : sectionFeed(handle, slug);
}

async function findFeed({ deps, params: { handle, slug } }: RouteRequest, render: RenderFeed) {
  const agent = handle === undefined ? null : await getFrontPage(deps, handle);
  const found = orNotFound("feed", await readFeed(deps, toScope(agent?.id, slug), agent, render));
  const { body, etag, modifiedMs } = found;
  return { body, etag, lastModifiedMs: modifiedMs };
}

function toScope(agentId: string | undefined, section: string | undefined): FeedScope {
  if (agentId === undefined) return { kind: "site" };
  return section === undefined ? { kind: "agent", agentId } : { kind: "section", agentId, section };
}
