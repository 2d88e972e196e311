import type { Span } from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { withCause } from "../../shared/causes.ts";
import { methodLabel } from "../../shared/metrics.ts";
import { endRequestSpan, insideSpan, startRequestSpan } from "../../shared/traces.ts";

/** What a request does is done in its name: logs, jobs and spans tell its id. A caller's own trace is not believed. */
export function addCauses(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook("onRequest", (request, _reply, done) => {
    spans.set(request, startRequestSpan(methodLabel(request.method), request.routeOptions.url ?? "none"));
    done();
  });
  // After the body has been read: events of the socket would lose what begins before.
  app.addHook("preHandler", (request, _reply, done) => {
    insideSpan(spans.get(request), () => withCause({ requestId: request.id }, done));
  });
  app.addHook("onResponse", (request, reply, done) => {
    const span = spans.get(request);
    if (span) endRequestSpan(span, reply.statusCode);
    done();
  });
}
