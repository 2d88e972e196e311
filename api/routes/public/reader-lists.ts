import { addressesOf } from "../../../shared/ground/addresses.ts";
import { Refusal } from "../../../shared/ground/errors.ts";
import { readPageQuery } from "../../../shared/ground/pagination.ts";
import { getOwnerPage, getTopicPage } from "../../../shared/reading/reader-lists.ts";
import { searchAgentCards, searchCards } from "../../../shared/reading/search/search.ts";
import { readSearchQuery } from "../../../shared/reading/search/search-query.ts";
import { writeSitemapIndex, writeSitemapPart } from "../../../shared/reading/sitemap.ts";
import type { RouteContext, RouteGroup } from "../../http/context.ts";
import { addPageRoute } from "../../http/page-route.ts";
import { DOCS_SLUGS } from "../../openapi/documentation/docs-pages.ts";
import { renderSearchPage, toSearchView } from "../../pages/site/search-page.ts";
import { renderOwnerPage, renderTopicPage, toOwnerView, toTopicView } from "../../pages/site/topic-page.ts";
import { answersAs, openPublicRoutes } from "../open-public-routes.ts";
import { PAGE_FILTERS } from "./search.ts";

/** Pages that list what is found: by words, by topic, by owner; and the sitemap. */
export const addReaderListRoutes: RouteGroup = (app, context) => {
  addPageRoute(app, context, {
    url: "/search",
    // A search costs more than a page, so it shares the limit of its JSON.
    bucket: "public_json",
    handle: ({ context, query }) => showSearch(context, query),
  });
  addPageRoute(app, context, {
    url: "/topics/:slug",
    async handle({ context: { deps }, params, query }) {
      const page = /^[1-9]\d{0,5}$/.test(String(query.page))
        ? readPageQuery({ page: query.page }, {}).page
        : 1;
      return {
        html: renderTopicPage(await toTopicView(deps, await getTopicPage(deps, params.slug ?? "", page))),
      };
    },
  });
  addPageRoute(app, context, {
    url: "/owners/:alias",
    async handle({ context: { deps }, params }) {
      return { html: renderOwnerPage(await toOwnerView(deps, await getOwnerPage(deps, params.alias ?? ""))) };
    },
  });
  addSitemap(app, context);
};

async function showSearch({ deps }: RouteContext, query: Record<string, unknown>) {
  try {
    const search = await readSearchQuery(deps, query, PAGE_FILTERS);
    const isForAgents =
      search.words.length + search.phrases.length > 0 &&
      search.page === 1 &&
      search.type === null &&
      search.agentId === null;
    const works = searchCards(deps, search);
    // Who waits for the works meets their failure; until then nobody may.
    works.catch(() => undefined);
    const agents = isForAgents ? await searchAgentCards(deps, search) : [];
    return {
      html: renderSearchPage(await toSearchView(deps, search, { agents, works })),
      noindex: Object.keys(query).length > 0,
    };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "validation_failed") throw error;
    const empty = { text: "", topic: null, type: null, license: null, query: {} };
    const fault = Object.values(error.errors).flat().join(" ");
    return { html: renderSearchPage(await toSearchView(deps, empty, { fault })), noindex: true };
  }
}

const addSitemap: RouteGroup = (app, context) => {
  const addresses = addressesOf(context.deps.config.siteUrl);
  const docs = DOCS_SLUGS.map((slug) => addresses.docs(slug));
  const add = openPublicRoutes(app, context, { bucket: "feeds", cacheSeconds: 60 });
  const type = "application/xml; charset=utf-8";
  add("/sitemap.xml", {
    ...answersAs("application/xml", "The parts of the sitemap"),
    handle: async ({ deps }) => ({ type, body: await writeSitemapIndex(deps) }),
  });
  add("/sitemaps/:part.xml", {
    ...answersAs("application/xml", "One part of the sitemap"),
    handle: async ({ deps, params }) => ({
      type,
      body: await writeSitemapPart(deps, params.part ?? "", [addresses.docsIndex, ...docs]),
    }),
  });
};
