import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** The pattern of the route, such as /@:handle/:slug; "none" where no route answers. */
    routePattern: string;
  }
}

/**
 * Every answer names its request; a caller's own id is ignored. The route's pattern is looked up once: the
 * framework puts a dozen members together at each look-up.
 */
export function addRequestNames(app: FastifyInstance): void {
  app.decorateRequest("routePattern", "none");
  app.addHook("onRequest", (request, reply, done) => {
    request.routePattern = request.routeOptions.url ?? "none";
    reply.header("x-request-id", request.id);
    done();
  });
}
