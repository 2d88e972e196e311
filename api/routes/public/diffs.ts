import { refuseFaults } from "../../../shared/ground/errors.ts";
import { getPublicDiff } from "../../../shared/reading/comparisons/public-diff.ts";
import { getOpenCreation } from "../../../shared/reading/public-creation.ts";
import type { RouteGroup } from "../../http/context.ts";
import { readOf } from "../../http/counted-reads.ts";
import { refuseAsNoindex } from "../../http/noindex-refusals.ts";
import { creationOf } from "../../http/page-cache/subjects.ts";
import { addPageRoute } from "../../http/page-route.ts";
import { addPublicRoute, publicJson } from "../../http/public-route.ts";
import { findQueryFaults } from "../../http/query.ts";
import { RevisionDiff } from "../../openapi/schemas.ts";
import { renderDiffPage } from "../../pages/site/diff-page.ts";
import { toDiffView } from "../../pages/views/diff-view.ts";

/** What changed between two published revisions, as JSON and as a page. */
export const addDiffRoutes: RouteGroup = (app, context) => {
  addPublicRoute(app, context, {
    url: "/@:handle/:slug/revisions/:from..:to.json",
    bucket: "public_json",
    cacheSeconds: 60,
    docs: {
      summary: "What changed between two published revisions",
      tag: "Public",
      answers: { 200: RevisionDiff },
      codes: ["validation_failed", "revision_content_removed"],
    },
    // Not cached: the version of a creation's page does not cover the works that earlier revisions name.
    async handle({ deps, context, params, request }) {
      refuseFaults(findQueryFaults(request.query, null));
      const { handle = "", slug = "", from = "", to = "" } = params;
      const creation = await getOpenCreation(deps, handle, slug);
      const { data } = await refuseAsNoindex(creation, () => getPublicDiff(context, creation, { from, to }));
      const noindex = creation.visibility === "unlisted";
      return { ...publicJson(data), noindex, read: readOf(creation, "json") };
    },
  });
  addPageRoute(app, context, {
    url: "/@:handle/:slug/revisions/:from..:to",
    subjectOf: creationOf,
    async handle({ context, params }) {
      const { handle = "", slug = "", from = "", to = "" } = params;
      const creation = await getOpenCreation(context.deps, handle, slug);
      const diff = await refuseAsNoindex(creation, () => getPublicDiff(context, creation, { from, to }));
      // A page that shows works of others is not cached, for the same reason.
      if (diff.namesWorks) context.onMissingPart?.();
      const view = await toDiffView(context.deps, creation, diff);
      const noindex = creation.visibility === "unlisted";
      return { html: renderDiffPage(view), noindex, read: readOf(creation, "page") };
    },
  });
};
