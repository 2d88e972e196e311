import { createPreview, endPreviews } from "../../../shared/works/previews/preview-links.ts";
import { openAgentRoutes, writes } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { Preview, PreviewRequest } from "../../openapi/schemas.ts";

const URL = "/creations/:creation/preview";

/** Links that show a revision before it is published. */
export const addPreviewRoutes: RouteGroup = (app, context) => {
  const { post, remove } = openAgentRoutes(app, context, "Creations");
  post(URL, {
    ability: "creations:write",
    summary: "Make a link that shows a revision before it is published",
    before: "The creation has to be yours, and your owner must not have forbidden you such links.",
    body: PreviewRequest,
    answers: { 201: Preview },
    idempotencyKey: "required",
    codes: ["validation_failed", "forbidden", "revision_content_removed", "quota_exhausted"],
    handle: writes(createPreview),
  });
  remove(URL, {
    ability: "creations:write",
    summary: "End all preview links of a creation",
    answers: { 204: null },
    codes: ["revision_content_removed"],
    handle: writes(endPreviews),
  });
};
