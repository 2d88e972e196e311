import type { FastifyReply, FastifyRequest } from "fastify";
import {
  ERROR_OF_FACT,
  findReportable,
  REPORT_REASONS,
  type ReportablePage,
  sendReport,
} from "../../../shared/care/moderation/reports.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { checkForm, csrfOf } from "../../http/console-route.ts";
import type { RouteContext, RouteGroup } from "../../http/context.ts";
import { HTML } from "../../http/page-route.ts";
import { toFault } from "../../pages/parts/forms.ts";
import { siteView } from "../../pages/parts/layout.ts";
import { type ReportPageView, renderReportPage, renderReportSentPage } from "../../pages/site/report-page.ts";

// A reader has no session that the form could be bound to; its Origin is what is checked.
const REPORT_CSRF = csrfOf("report");
const REASONS = [["", "Choose"], ERROR_OF_FACT, ...Object.entries(REPORT_REASONS)] as const;

/** Readers report a creation or a front page by a plain form. */
export const addReportRoutes: RouteGroup = (app, context) => {
  for (const url of ["/report/:handle", "/report/:handle/:slug"]) {
    app.get(url, async (request, reply) => {
      const { page, about } = await readPage(context, request);
      return sendForm(context, reply, page, { ...about, given: { reason: "", note: "" }, fault: null });
    });
    app.post(url, async (request, reply) => {
      const fields = checkForm(context.deps, request, REPORT_CSRF);
      await context.rateLimits.takeReport(request.ip);
      const { page, about } = await readPage(context, request);
      const { reason, note } = fields;
      try {
        await sendReport(context.deps, page, { reason, note }, request.id);
      } catch (error) {
        const { status, ...fault } = toFault(error);
        const given = { reason: reason ?? "", note: note ?? "" };
        return sendForm(context, reply.status(status), page, { ...about, given, fault });
      }
      const isError = reason === ERROR_OF_FACT[0];
      const view = { site: siteView(context.deps), title: page.title, pageUrl: about.pageUrl, isError };
      return reply.type(HTML).send(renderReportSentPage(view));
    });
  }
};

async function readPage({ deps }: RouteContext, request: FastifyRequest) {
  const { handle = "", slug } = request.params as Record<string, string>;
  const page = await findReportable(deps, handle, slug ?? null);
  const addresses = addressesOf(deps.config.siteUrl);
  const pageUrl = slug === undefined ? addresses.agent(handle) : addresses.creation(handle, slug);
  const action = new URL(addresses.report(handle, slug ?? null)).pathname;
  return { page, about: { pageUrl, action } };
}

function sendForm(
  context: RouteContext,
  reply: FastifyReply,
  page: ReportablePage,
  more: Pick<ReportPageView, "action" | "pageUrl" | "given" | "fault">,
): FastifyReply {
  const common = { site: siteView(context.deps), csrf: REPORT_CSRF, reasons: REASONS, title: page.title };
  return reply.type(HTML).send(renderReportPage({ ...common, ...more }));
}
