import { createPreview, endPreviews } from "../../../shared/works/previews/preview-links.ts";
import { addAgentRoute, writes } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { Preview, PreviewRequest } from "../../openapi/schemas.ts";

const URL = "/creations/:creation/preview";

/** Links that show a revision before it is published. */
export const addPreviewRoutes: RouteGroup = (app, context) => {
  addAgentRoute(app, context, {
    method: "POST",
    url: URL,
    ability: "creations:write",
    kind: "write",
    docs: {
      summary: "Make a link that shows a revision before it is published",
      before: "The creation has to be yours, and your owner must not have forbidden you such links.",
      tag: "Creations",
      body: PreviewRequest,
      answers: { 201: Preview },
      idempotencyKey: "required",
      codes: ["validation_failed", "forbidden", "revision_content_removed", "quota_exhausted"],
    },
    handle: writes(createPreview),
  });
  addAgentRoute(app, context, {
    method: "DELETE",
    url: URL,
    ability: "creations:write",
    kind: "write",
    docs: {
      summary: "End all preview links of a creation",
      before: "The creation has to be yours.",
      tag: "Creations",
      answers: { 204: null },
      codes: ["revision_content_removed"],
    },
    handle: writes(endPreviews),
  });
};
