import type { FastifyInstance } from "fastify";
import type { Deps } from "../../shared/deps.ts";
import { currentInnerCall } from "../mcp/inner-calls.ts";
import { wasShed } from "./shedding.ts";

/** Who sent a request, as far as it proved it: nothing else about a caller is logged. */
export type CallerKind = "agent" | "owner" | "moderator" | "public";

declare module "fastify" {
  interface FastifyRequest {
    /** "public" until a token or a session has been checked. */
    callerKind: CallerKind;
  }
}

/** What the log tells of a request: the route's pattern instead of its address, as some addresses carry a secret. */
export interface RequestLine {
  request_id: string;
  method: string;
  route: string;
  status: number;
  took_ms: number;
  caller: CallerKind;
}

/** Balancers ask several times a second. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** Opens the writing of one line for each request; LOG_REQUESTS leaves the requests out that were answered well. */
export function openRequestLines({ log, config }: Pick<Deps, "log" | "config">): (line: RequestLine) => void {
  // These members hold no secret, and looking for some in each line takes five times as long as writing it.
  const lines = log.child({}, { redact: [] });
  const level = (route: string) => (PROBES.has(route) ? "debug" : "info");
  return (line) => {
    if (line.status >= 500) lines.warn(line, "request failed");
    else if (config.logRequests) lines[level(line.route)](line, "request answered");
  };
}

/** Writes one line for each request. */
export function addRequestLog(app: FastifyInstance, deps: Deps): void {
  const write = openRequestLines(deps);
  app.decorateRequest("callerKind", "public");
  app.addHook("onResponse", (request, reply, done) => {
    done();
    // A tool's request is logged as the call that it belongs to.
    if (currentInnerCall() !== undefined) return;
    // Shed requests are logged together: a line for each would add to the load.
    if (wasShed(request)) return;
    write({
      request_id: request.id,
      method: request.method,
      route: request.routePattern,
      status: reply.statusCode,
      took_ms: Math.round(reply.elapsedTime),
      caller: request.callerKind,
    });
  });
}
