import { disclosureHeaders } from "../../../shared/reading/present-marks.ts";
import { FRAME_STYLESHEET } from "../../../shared/text/stylesheets.ts";
import type { RouteGroup } from "../../http/context.ts";
import { refuseAsNoindex } from "../../http/counted-reads.ts";
import { addImmutableText } from "../../http/immutable-text.ts";
import { creationOf } from "../../http/page-cache.ts";
import { addPageRoute } from "../../http/page-route.ts";
import { renderChartPage, toChartView } from "../../pages/site/chart-page.ts";
import { CHART_FOLDERS, openWork } from "../open-public-routes.ts";

/** The pages of charts, which any site frames. Like their drawings, they count as no read of the work. */
export const addChartPageRoutes: RouteGroup = (app, context) => {
  addImmutableText(app, { path: FRAME_STYLESHEET.path, type: "text/css", text: FRAME_STYLESHEET.css });
  for (const folder of CHART_FOLDERS) {
    addPageRoute(app, context, {
      url: `${folder}/:chart`,
      subjectOf: creationOf,
      isFramed: true,
      async handle({ context, params }) {
        const { chart = "", number: revision = null } = params;
        const { creation, about } = await openWork(context.deps, params, null);
        const view = await refuseAsNoindex(creation, () =>
          toChartView(context, creation, { chart, revision }),
        );
        return { html: renderChartPage(view), headers: disclosureHeaders(view.made), noindex: about.noindex };
      },
    });
  }
};
