import type { FastifyReply, FastifyRequest } from "fastify";
import { contentTypeOf } from "../../../shared/datasets/uploads/public-files.ts";
import { workDisclosureHeaders } from "../../../shared/reading/present-marks.ts";
import { openPreview, openPreviewFile } from "../../../shared/works/previews/open-preview.ts";
import type { RouteContext, RouteGroup } from "../../http/context.ts";
import { groupAddress } from "../../http/hooks/rate-limits.ts";
import { HTML } from "../../http/page-route.ts";
import { DOWNLOAD_TIMEOUT_MS, sendStoredFile } from "../../http/send-file.ts";
import { renderLinkedPreview } from "../../pages/console/preview-page.ts";

const PAGE = "/preview/:preview";

/** A revision and its files for whoever has a link, which each request checks anew; nothing is cached. */
export const addPreviewPageRoutes: RouteGroup = (app, context) => {
  app.get(PAGE, async (request, reply) => {
    const { preview = "" } = await admit(context, request, reply);
    const opened = await openPreview(context.deps, preview);
    if (opened.goTo !== null) return reply.redirect(opened.goTo, 302);
    reply.headers(workDisclosureHeaders(opened.shown));
    return reply.type(HTML).send(await renderLinkedPreview(context, opened, preview));
  });
  app.get(`${PAGE}/files/:number`, { handlerTimeout: DOWNLOAD_TIMEOUT_MS }, async (request, reply) => {
    const { preview, number } = await admit(context, request, reply);
    const { file, shown } = await openPreviewFile(context.deps, preview, number);
    const { asset_id: key, filename, bytes } = file;
    const sent = { key, filename, bytes, type: contentTypeOf(file) };
    reply.headers(workDisclosureHeaders(shown));
    return await sendStoredFile(context.deps, await context.downloads.open(reply), sent);
  });
};

/** Each page is drawn anew, so requests count as those for public JSON do. */
async function admit(
  { rateLimits }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Record<string, string>> {
  await rateLimits.take("public_json", groupAddress(request.ip), reply);
  return request.params as Record<string, string>;
}
