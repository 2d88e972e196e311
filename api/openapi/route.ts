import { API_ROOT } from "../http/agent-route.ts";
import type { RouteGroup } from "../http/context.ts";
import { addPublicRoute } from "../http/public-route.ts";
import { buildOpenApi } from "./document.ts";
import { OpenApiDocument } from "./schemas.ts";

/** GET /openapi.json: built at the first request, when every route is known. */
export const addOpenApiRoute: RouteGroup = (app, context) => {
  let body: Buffer | null = null;
  addPublicRoute(app, context, {
    url: `${API_ROOT}/openapi.json`,
    bucket: "public_json",
    cacheSeconds: 300,
    docs: { summary: "This description of the interface", tag: "Public", answers: { 200: OpenApiDocument } },
    async handle({ deps }) {
      body ??= Buffer.from(JSON.stringify(buildOpenApi(context.routes, deps.config)));
      return { type: "application/json; charset=utf-8", body };
    },
  });
};
