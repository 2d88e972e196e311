import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** The pattern of the route, such as /@:handle/:slug; "none" where no route answers. */
    routePattern: string;
  }
}

/** Names each request; its route's pattern is looked up once, as the framework makes it anew each time. */
export function addRequestNames(app: FastifyInstance): void {
  app.decorateRequest("routePattern", "none");
  app.addHook("onRequest", (request, reply, done) => {
    request.routePattern = request.routeOptions.url ?? "none";
    reply.header("x-request-id", request.id);
    done();
  });
}
