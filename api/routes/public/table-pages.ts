import { workDisclosureHeaders } from "../../../shared/reading/present-disclosure.ts";
import { getOpenCreation } from "../../../shared/reading/public-creation.ts";
import { readPageQuery } from "../../../shared/tables/questions/page-query.ts";
import type { RouteGroup } from "../../http/context.ts";
import { readOf } from "../../http/counted-reads.ts";
import { groupAddress } from "../../http/hooks/rate-limits.ts";
import { addPageRoute } from "../../http/page-route.ts";
import { requesterOf } from "../../http/requester.ts";
import { textOfQuery } from "../../http/table-answers.ts";
import { renderRowPage, renderTablePage } from "../../pages/site/table-page.ts";
import { findAskedPage, showsRows } from "../../pages/views/asked-table.ts";
import { readRowNumber, toRowView } from "../../pages/views/row-view.ts";
import { toTableView } from "../../pages/views/table-view.ts";

/**
 * The page of a table: the question stands in the address, so there are more pages than a cache could hold, and each is
 * rendered when it is asked for.
 */
export const addTablePageRoutes: RouteGroup = (app, context) => {
  addPageRoute(app, context, {
    url: "/@:handle/:slug/files/:number",
    async handle({ context, params, request, reply }) {
      await context.rateLimits.take("queries", groupAddress(request.ip), reply);
      const { handle = "", slug = "", number = "" } = params;
      const creation = await getOpenCreation(context.deps, handle, slug);
      const text = textOfQuery(request);
      const page = await findAskedPage(context, creation, {
        number,
        query: readPageQuery(text),
        requester: requesterOf(request, reply),
      });
      const headers = workDisclosureHeaders(creation);
      const noindex = text !== "" || creation.visibility === "unlisted";
      const read = readOf(creation, "page");
      const asked = showsRows(creation) ? readRowNumber(page, new URLSearchParams(text).get("row")) : null;
      if (asked !== null && "row" in asked)
        return { html: renderRowPage(await toRowView(context, page, asked.row)), noindex, headers, read };
      const { view, status } = await toTableView(context, page, {
        hasQuestion: text !== "",
        faults: asked?.faults ?? {},
      });
      return { html: renderTablePage(view), noindex, status, headers, read };
    },
  });
};
