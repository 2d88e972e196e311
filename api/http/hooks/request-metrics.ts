import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../shared/platform/deps.ts";
import { methodLabel } from "../../../shared/platform/telemetry/metrics.ts";
import { currentInnerCall } from "../inner-calls.ts";

/** Counts and times every answer by its route's pattern. */
export function addRequestMetrics(app: FastifyInstance, deps: Deps): void {
  app.addHook("onResponse", (request, reply, done) => {
    done();
    // A tool's request is counted as the call that it belongs to.
    if (currentInnerCall() !== undefined) return;
    const route = request.routePattern;
    const seconds = reply.elapsedTime / 1000;
    deps.metrics.requests.add(methodLabel(request.method), route, reply.statusCode, seconds);
  });
}
