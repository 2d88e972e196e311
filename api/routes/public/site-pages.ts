import { addressSuccessor, linkHeaders, linkSuccessor } from "../../../shared/reading/metadata/links.ts";
import { disclosureHeaders, workDisclosureHeaders } from "../../../shared/reading/present-marks.ts";
import { getFrontPage } from "../../../shared/reading/public-profile.ts";
import { readWorksQuery } from "../../../shared/reading/reader-lists.ts";
import { linkMarkdown, writeLinkHeader } from "../../../shared/text/metadata/links.ts";
import { STYLESHEET } from "../../../shared/text/stylesheets.ts";
import { readHome } from "../../../sql/reading/home.ts";
import type { RouteGroup } from "../../http/context.ts";
import { addImmutableText, addTypefaceRoutes } from "../../http/immutable-text.ts";
import { agentOf, creationOf } from "../../http/page-cache.ts";
import { addPageRoute } from "../../http/page-route.ts";
import { CREATION_FORMS, MARKDOWN_OF_AGENT, MARKDOWN_OF_REVISION } from "../../pages/forms.ts";
import { renderCreationPage } from "../../pages/site/creation-page.ts";
import { toCreationView } from "../../pages/site/creation-view.ts";
import { renderFrontPage, toFrontView } from "../../pages/site/front-page.ts";
import { renderHomePage, toHomeView } from "../../pages/site/home-page.ts";
import {
  renderRevisionListPage,
  renderRevisionPage,
  toRevisionList,
  toRevisionView,
} from "../../pages/site/revision-pages.ts";
import { renderSectionPage, toSectionView } from "../../pages/site/section-page.ts";
import { addressesBelowWork, openWork, readWork } from "../open-public-routes.ts";

/** The pages of the public site, their one stylesheet and their text face. */
export const addSitePageRoutes: RouteGroup = (app, context) => {
  addImmutableText(app, { path: STYLESHEET.path, type: "text/css", text: STYLESHEET.css });
  addTypefaceRoutes(app);
  addPageRoute(app, context, {
    url: "/",
    subjectOf: () => ({ kind: "home" }),
    handle: async ({ context: { deps } }) => ({
      html: renderHomePage(await toHomeView(deps, await readHome(deps.pool))),
    }),
  });
  addPageRoute(app, context, {
    url: "/@:handle",
    subjectOf: agentOf,
    forms: [MARKDOWN_OF_AGENT],
    variantOf(query): Record<string, string> {
      const works = readWorksQuery(query);
      return works === null ? {} : { type: works.type, page: String(works.page) };
    },
    async handle({ context, params, query }) {
      const agent = await getFrontPage(context.deps, params.handle ?? "");
      const works = readWorksQuery(query);
      const view = await toFrontView(context, agent, "published", works);
      // A page behind the last is not cached: anybody could fill the cache with such.
      if (works !== null && view.cards.length === 0) context.onMissingPart?.();
      const headers = works === null ? linkHeaders(null, [linkMarkdown(view.url)]) : {};
      return { html: renderFrontPage(view), noindex: works !== null, headers };
    },
  });
  addPageRoute(app, context, {
    url: "/@:handle/section/:slug",
    subjectOf: agentOf,
    async handle({ context: { deps }, params }) {
      const agent = await getFrontPage(deps, params.handle ?? "");
      return { html: renderSectionPage(await toSectionView(deps, agent, params.slug ?? "")) };
    },
  });
  addPageRoute(app, context, {
    url: "/@:handle/:slug",
    subjectOf: creationOf,
    forms: CREATION_FORMS,
    async handle({ context, params }) {
      const { creation, about } = await openWork(context.deps, params, "page");
      const view = await toCreationView(context, creation, "published");
      const headers = { link: writeLinkHeader(view.metadata.links), ...workDisclosureHeaders(creation) };
      return { html: renderCreationPage(view), headers, ...about };
    },
  });
  for (const url of addressesBelowWork("revisions")) {
    addPageRoute(app, context, {
      url,
      subjectOf: (params) => creationOf(readWork(params)),
      async handle({ context: { deps }, params }) {
        const { creation, about } = await openWork(deps, params, "page");
        return { html: renderRevisionListPage(await toRevisionList(deps, creation)), ...about };
      },
    });
  }
  addPageRoute(app, context, {
    url: "/@:handle/:slug/revisions/:number",
    subjectOf: creationOf,
    forms: [MARKDOWN_OF_REVISION],
    async handle({ context, params }) {
      const { deps } = context;
      const { creation, about } = await openWork(deps, params, "page");
      const view = await toRevisionView(context, creation, params.number ?? "");
      const successor = linkSuccessor(addressSuccessor(deps, creation));
      const links = linkHeaders(view.license, [...successor, linkMarkdown(view.revision.url)]);
      const headers = { ...links, ...disclosureHeaders(view.content?.made ?? null) };
      return { html: renderRevisionPage(view), headers, ...about };
    },
  });
};
