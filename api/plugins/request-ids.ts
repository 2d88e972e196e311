import type { FastifyInstance } from "fastify";

/** Every answer names its request; a caller's own id is never believed. */
export function addRequestIds(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
}
