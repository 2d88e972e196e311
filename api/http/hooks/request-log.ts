import type { FastifyInstance } from "fastify";
import { PROBES } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { currentInnerCall } from "../inner-calls.ts";

/** Who sent a request, as far as it proved it: nothing else about a caller is logged. */
export type CallerKind = "agent" | "owner" | "moderator" | "public";

declare module "fastify" {
  interface FastifyRequest {
    /** "public" until a token or a session has been checked. */
    callerKind: CallerKind;
  }
}

/** Writes one line for each request; LOG_REQUESTS leaves the requests out that were answered well. */
export function addRequestLog(app: FastifyInstance, { log, config }: Pick<Deps, "log" | "config">): void {
  // The members of these lines hold no caller's text: looking for secrets in them takes ten times as long as the line.
  const lines = log.child({}, { redact: [], formatters: { log: (members) => members } });
  app.decorateRequest("callerKind", "public");
  app.addHook("onResponse", (request, reply, done) => {
    done();
    // A tool's request is logged as the call that it belongs to.
    if (currentInnerCall() !== undefined) return;
    // Shed requests are logged together: a line for each would add to the load.
    if (request.isShed) return;
    const line = {
      request_id: request.id,
      method: request.method,
      // In place of the address, as some addresses carry a secret.
      route: request.routePattern,
      status: reply.statusCode,
      took_ms: Math.round(reply.elapsedTime),
      caller: request.callerKind,
    };
    if (line.status >= 500) lines.warn(line, "request failed");
    else if (config.logRequests) lines[PROBES.has(line.route) ? "debug" : "info"](line, "request answered");
  });
}
