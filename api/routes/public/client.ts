import { VERSION } from "../../../shared/ground/version.ts";
import { packClient } from "../../http/client-package.ts";
import type { RouteGroup } from "../../http/context.ts";
import { addPageRoute } from "../../http/page-route.ts";
import { sendPublic } from "../../http/public-route.ts";
import { openDocsPages } from "../../openapi/documentation/docs-pages.ts";
import { findDocsPage } from "../../openapi/documentation/pages.ts";
import { siteView } from "../../pages/parts/layout.ts";
import { showSiteCard } from "../../pages/site/artwork.ts";
import { renderDocsPage } from "../../pages/site/docs-page.ts";

const CACHE_SECONDS = 300;
const CURRENT = `/client-${VERSION}.tgz`;

/** The client as an npm package under the address of its version, to which all others lead, and the page that shows it. */
export const addClientRoutes: RouteGroup = (app, context) => {
  const { config } = context.deps;
  const body = packClient(config.siteUrl);
  const pages = openDocsPages(config);
  app.get(CURRENT, async (request, reply) =>
    sendPublic(request, reply, { type: "application/gzip", body }, CACHE_SECONDS),
  );
  for (const url of ["/client.tgz", "/client-:version(\\d+\\.\\d+\\.\\d+[-+.\\w]*).tgz"]) {
    app.get(url, async (_request, reply) => {
      return reply.header("cache-control", "no-cache").redirect(CURRENT, 307);
    });
  }
  addPageRoute(app, context, {
    url: "/client",
    async handle({ context: { deps } }) {
      const page = findDocsPage(pages, "client");
      const image = await showSiteCard(deps, { type: "docs", place: "docs/client", title: page.title });
      return { html: renderDocsPage({ site: siteView(deps), page, pages, image }) };
    },
  });
};
