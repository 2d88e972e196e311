import type { FastifyInstance } from "fastify";
import { currentInnerCall } from "../mcp/inner-calls.ts";
import { wasShed } from "./shedding.ts";

/** One line a request, with the route's pattern instead of its address: some addresses carry a secret. */
export function addRequestLog(app: FastifyInstance): void {
  const toldLevels: ReadonlySet<string> = new Set(["debug", "trace"]);
  app.addHook("onResponse", (request, reply, done) => {
    done();
    // A tool's request is logged as the call that it belongs to.
    if (currentInnerCall() !== undefined) return;
    // Shed requests are logged together: a line for each would add to the load.
    if (wasShed(request)) return;
    const isFailed = reply.statusCode >= 500;
    if (!isFailed && !toldLevels.has(app.log.level)) return;
    const told = {
      method: request.method,
      route: request.routePattern,
      status: reply.statusCode,
      took_ms: Math.round(reply.elapsedTime),
    };
    if (isFailed) request.log.warn(told, "request failed");
    else request.log.debug(told, "request answered");
  });
}
