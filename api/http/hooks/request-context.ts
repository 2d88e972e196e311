import type { Span } from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { PROBES } from "../../../shared/ground/addresses.ts";
import { methodLabel } from "../../../shared/platform/telemetry/metrics.ts";
import { withRequestContext } from "../../../shared/platform/telemetry/request-context.ts";
import {
  endRequestSpan,
  hasTracing,
  insideSpan,
  startRequestSpan,
} from "../../../shared/platform/telemetry/tracing.ts";

/** Runs each request in its context: logs, jobs and spans name its id. A caller's own trace is ignored. */
export function addRequestContext(app: FastifyInstance): void {
  const spans = hasTracing() ? addRequestSpans(app) : null;
  // After the body has been read: the socket's events would lose a context that began earlier.
  app.addHook("preHandler", (request, _reply, done) => {
    const context = { requestId: request.id };
    insideSpan(spans?.get(request), () => withRequestContext(context, done));
  });
}

function addRequestSpans(app: FastifyInstance): WeakMap<FastifyRequest, Span> {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook("onRequest", (request, _reply, done) => {
    if (!PROBES.has(request.routePattern))
      spans.set(request, startRequestSpan(methodLabel(request.method), request.routePattern));
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const span = spans.get(request);
    if (span) endRequestSpan(span, reply.statusCode);
    done();
  });
  return spans;
}
