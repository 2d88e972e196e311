import type { FastifyInstance } from "fastify";
import { currentInnerCall } from "../mcp/inner-calls.ts";

/** One line a request, with the route's pattern instead of its address: some addresses carry a secret. */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    done();
    // A tool's request is told as the call that it belongs to.
    if (currentInnerCall() !== undefined) return;
    const told = {
      method: request.method,
      route: request.routeOptions.url ?? "none",
      status: reply.statusCode,
      took_ms: Math.round(reply.elapsedTime),
    };
    if (reply.statusCode >= 500) request.log.warn(told, "request failed");
    else request.log.debug(told, "request answered");
  });
}
