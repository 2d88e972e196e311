import { getPublicDiff } from "../../../shared/reading/comparisons/public-diff.ts";
import type { RouteGroup } from "../../http/context.ts";
import { refuseAsNoindex } from "../../http/counted-reads.ts";
import { creationOf } from "../../http/page-cache.ts";
import { addPageRoute } from "../../http/page-route.ts";
import { publicJson } from "../../http/public-route.ts";
import { RevisionDiff } from "../../openapi/schemas.ts";
import { renderDiffPage } from "../../pages/site/diff-page.ts";
import { toDiffView } from "../../pages/site/diff-view.ts";
import { openPublicRoutes, openWork } from "../open-public-routes.ts";

/** What changed between two published revisions, as JSON and as a page. */
export const addDiffRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context);
  add("/@:handle/:slug/revisions/:from..:to.json", {
    summary: "What changed between two published revisions",
    answers: { 200: RevisionDiff },
    codes: ["validation_failed", "revision_content_removed"],
    // Not cached: the version of a creation's page does not cover the works that earlier revisions name.
    async handle({ deps, context, params }) {
      const { from = "", to = "" } = params;
      const { creation, about } = await openWork(deps, params, "json");
      const { data } = await refuseAsNoindex(creation, () => getPublicDiff(context, creation, { from, to }));
      return { ...publicJson(data), ...about };
    },
  });
  addPageRoute(app, context, {
    url: "/@:handle/:slug/revisions/:from..:to",
    bucket: "comparisons",
    subjectOf: creationOf,
    async handle({ context, params }) {
      const { from = "", to = "" } = params;
      const { creation, about } = await openWork(context.deps, params, "page");
      const diff = await refuseAsNoindex(creation, () => getPublicDiff(context, creation, { from, to }));
      // A page that shows works of others is not cached, for the same reason.
      if (diff.namesWorks) context.onMissingPart?.();
      const view = await toDiffView(context, creation, diff);
      return { html: renderDiffPage(view), ...about };
    },
  });
};
