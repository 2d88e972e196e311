import { addTypefaceRoutes } from "../../../shared/platform/typefaces.ts";
import { readWorksQuery } from "../../../shared/reading/front-page-cards.ts";
import { getHome } from "../../../shared/reading/home.ts";
import { citeRevision } from "../../../shared/reading/metadata/citations.ts";
import { addressSuccessor } from "../../../shared/reading/metadata/link-revision.ts";
import { linkHeaders, linkSuccessor } from "../../../shared/reading/metadata/links.ts";
import { disclosureHeaders, workDisclosureHeaders } from "../../../shared/reading/present-disclosure.ts";
import { getOpenCreation } from "../../../shared/reading/public-creation.ts";
import { getFrontPage } from "../../../shared/reading/public-profile.ts";
import { getPublishedRevision, listPublishedRevisions } from "../../../shared/reading/public-revisions.ts";
import { describeLicence } from "../../../shared/text/licences/licences.ts";
import { writeLinkHeader } from "../../../shared/text/metadata/links.ts";
import { linkMarkdown } from "../../../shared/text/metadata/work-links.ts";
import { STYLESHEET } from "../../../shared/text/stylesheets.ts";
import type { RouteContext, RouteGroup } from "../../http/context.ts";
import { readOf } from "../../http/counted-reads.ts";
import { addImmutableText } from "../../http/immutable-text.ts";
import { agentOf, creationOf } from "../../http/page-cache/subjects.ts";
import { addPageRoute } from "../../http/page-route.ts";
import { renderCreationPage } from "../../pages/site/creation-page.ts";
import { renderFrontPage } from "../../pages/site/front-page.ts";
import { renderHomePage } from "../../pages/site/home-page.ts";
import { renderRevisionListPage, renderRevisionPage } from "../../pages/site/revision-pages.ts";
import { renderSectionPage } from "../../pages/site/section-page.ts";
import { showCreationCard } from "../../pages/views/art-views.ts";
import { toCitationView } from "../../pages/views/citation-view.ts";
import { CREATION_FORMS } from "../../pages/views/creation-forms.ts";
import { toCreationView, toRevisionFrame } from "../../pages/views/creation-view.ts";
import { linkDiffs } from "../../pages/views/diff-links.ts";
import { toFrontView, toSectionView } from "../../pages/views/front-view.ts";
import { toHomeView } from "../../pages/views/home-view.ts";
import { MARKDOWN_OF_AGENT, MARKDOWN_OF_REVISION } from "../../pages/views/markdown-forms.ts";

/** The pages of the public site, their one stylesheet and their text face. */
export const addSitePageRoutes: RouteGroup = (app, context) => {
  addImmutableText(app, { path: STYLESHEET.path, type: "text/css", text: STYLESHEET.css });
  addTypefaceRoutes(app);
  addPageRoute(app, context, {
    url: "/",
    subjectOf: () => ({ kind: "home" }),
    handle: async ({ context: { deps } }) => ({
      html: renderHomePage(await toHomeView(deps, await getHome(deps))),
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
      const creation = await getOpenCreation(context.deps, params.handle ?? "", params.slug ?? "");
      const noindex = creation.visibility === "unlisted";
      const view = await toCreationView(context, creation, "published");
      const headers = { link: writeLinkHeader(view.metadata.links), ...workDisclosureHeaders(creation) };
      return { html: renderCreationPage(view), noindex, headers, read: readOf(creation, "page") };
    },
  });
  addRevisionList(app, context, "/@:handle/:slug/revisions", (params) => params);
  // No section is called revisions, so this is the list of the work whose slug is `section`.
  addRevisionList(app, context, "/@:handle/section/revisions", (params) => ({ ...params, slug: "section" }));
  addPageRoute(app, context, {
    url: "/@:handle/:slug/revisions/:number",
    subjectOf: creationOf,
    forms: [MARKDOWN_OF_REVISION],
    async handle({ context, params }) {
      const { deps } = context;
      const creation = await getOpenCreation(deps, params.handle ?? "", params.slug ?? "");
      const [{ revision, published, content }, image] = await Promise.all([
        getPublishedRevision(context, creation, params.number ?? ""),
        showCreationCard(deps, creation),
      ]);
      const cited = published && citeRevision(deps, creation, published);
      const citation = cited && toCitationView(deps, creation, cited, cited.revision);
      const license = cited?.license ? describeLicence(cited.license) : null;
      const view = { ...toRevisionFrame(deps, creation), image, revision, content, citation, license };
      const noindex = creation.visibility === "unlisted";
      const successor = linkSuccessor(addressSuccessor(deps, creation));
      const links = linkHeaders(license, [...successor, linkMarkdown(revision.url)]);
      const headers = { ...links, ...disclosureHeaders(content?.made ?? null) };
      return { html: renderRevisionPage(view), noindex, headers, read: readOf(creation, "page") };
    },
  });
};

function addRevisionList(
  app: Parameters<RouteGroup>[0],
  context: RouteContext,
  url: string,
  paramsOf: (params: Record<string, string>) => Record<string, string>,
): void {
  addPageRoute(app, context, {
    url,
    subjectOf: (params) => creationOf(paramsOf(params)),
    async handle({ context: { deps }, params }) {
      const { handle = "", slug = "" } = paramsOf(params);
      const creation = await getOpenCreation(deps, handle, slug);
      const [rows, image] = await Promise.all([
        listPublishedRevisions(deps, creation),
        showCreationCard(deps, creation),
      ]);
      const revisions = linkDiffs(deps, creation, rows, (row) => row.content_removed);
      const view = { ...toRevisionFrame(deps, creation), image, revisions };
      const noindex = creation.visibility === "unlisted";
      return { html: renderRevisionListPage(view), noindex, read: readOf(creation, "page") };
    },
  });
}
