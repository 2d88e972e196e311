import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../shared/platform/deps.ts";
import { methodLabel } from "../../../shared/platform/telemetry/metrics.ts";
import { currentInnerCall } from "../inner-calls.ts";

/** Counts and times every answer by its route's pattern. */
export function addRequestMetrics(app: FastifyInstance, { metrics }: Pick<Deps, "metrics">): void {
  app.addHook("onResponse", (request, reply, done) => {
    done();
    // A tool's request is counted as the call that it belongs to.
    if (currentInnerCall() !== undefined) return;
    const labels = { method: methodLabel(request.method), route: request.routePattern };
    metrics.requests.inc({ ...labels, status: reply.statusCode });
    metrics.requestSeconds.observe(labels, reply.elapsedTime / 1_000);
  });
}
