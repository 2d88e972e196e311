import { workDisclosureHeaders } from "../../../shared/reading/present-marks.ts";
import { readPageQuery } from "../../../shared/tables/questions/write-question.ts";
import type { RouteGroup } from "../../http/context.ts";
import { addPageRoute } from "../../http/page-route.ts";
import { textOfQuery } from "../../http/table-export.ts";
import { findAskedPage, showsRows } from "../../pages/site/asked-table.ts";
import { readRowNumber, renderRowPage, toRowView } from "../../pages/site/row-page.ts";
import { renderTablePage } from "../../pages/site/table-page.ts";
import { toTableView } from "../../pages/site/table-view.ts";
import { openWork } from "../open-public-routes.ts";

/** The page of a table, rendered for each request: no cache could hold one for each question. */
export const addTablePageRoutes: RouteGroup = (app, context) => {
  addPageRoute(app, context, {
    url: "/@:handle/:slug/files/:number",
    bucket: "queries",
    async handle({ context, params, request }) {
      const { number = "" } = params;
      const { creation, about } = await openWork(context.deps, params, "page");
      const text = textOfQuery(request);
      const page = await findAskedPage(context, creation, {
        number,
        query: readPageQuery(text),
      });
      const headers = workDisclosureHeaders(creation);
      const shared = { ...about, noindex: text !== "" || about.noindex, headers };
      const asked = showsRows(creation) ? readRowNumber(page, new URLSearchParams(text).get("row")) : null;
      if (asked !== null && "row" in asked)
        return { html: renderRowPage(await toRowView(context, page, asked.row)), ...shared };
      const { view, status } = await toTableView(context, page, {
        hasQuestion: text !== "",
        faults: asked?.faults ?? {},
      });
      return { html: renderTablePage(view), status, ...shared };
    },
  });
};
