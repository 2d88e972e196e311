import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../shared/platform/deps.ts";
import { openLineBatch } from "../../../shared/platform/telemetry/line-batch.ts";
import { currentInnerCall } from "../inner-calls.ts";
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

/**
 * Opens the writing of one line for each request; LOG_REQUESTS leaves the requests out that were answered well. Those
 * lines are many: they are put together here as the log would, which takes a tenth of the time.
 */
export function openRequestLines({ log, config }: Pick<Deps, "log" | "config">): (line: RequestLine) => void {
  // These members hold no secret, and looking for some in each line takes five times as long as writing it.
  const lines = log.child({}, { redact: [] });
  const batch = openLineBatch(log);
  const write = openUsualLines(log);
  const isUsual = config.logRequests && log.isLevelEnabled("info");
  return (line) => {
    if (line.status < 500 && !PROBES.has(line.route)) {
      if (isUsual) batch.add(write(line));
      return;
    }
    batch.flush();
    if (line.status >= 500) lines.warn(line, "request failed");
    else if (config.logRequests) lines.debug(line, "request answered");
  };
}

/** Writes lines of level info with the members, and in the order, of the log; what many lines share is put together once. */
function openUsualLines(log: Deps["log"]): (line: RequestLine) => string {
  // The log gives its bindings without the process's id.
  const base = `"process":${JSON.stringify(log.bindings().process)},"pid":${process.pid}`;
  const beginningOf = openBeginnings(base);
  const nameAnswer = openAnswerNames();
  // Ids, methods and kinds of callers are ours or the framework's, and hold nothing to escape.
  return ({ request_id, method, route, status, took_ms, caller }) =>
    `${beginningOf(Date.now())}${request_id}${nameAnswer(method, route, status)}${took_ms},"caller":"${caller}","msg":"request answered"}\n`;
}

/** The members of a line up to the request's id: lines of one millisecond share theirs. */
function openBeginnings(base: string): (nowMs: number) => string {
  let last = { ms: 0, text: "" };
  return (nowMs) => {
    if (last.ms !== nowMs) {
      const text = `{"level":"info","time":"${new Date(nowMs).toISOString()}",${base},"request_id":"`;
      last = { ms: nowMs, text };
    }
    return last.text;
  };
}

/** The members from the request's method to its status. Routes, their methods and statuses are few. */
function openAnswerNames(): (method: string, route: string, status: number) => string {
  const known = new Map<string, Map<string, Map<number, string>>>();
  const add = (method: string, route: string, status: number) => {
    const text = `","method":"${method}","route":${JSON.stringify(route)},"status":${status},"took_ms":`;
    const methods = known.get(route) ?? new Map<string, Map<number, string>>();
    const statuses = methods.get(method) ?? new Map<number, string>();
    known.set(route, methods.set(method, statuses.set(status, text)));
    return text;
  };
  return (method, route, status) => known.get(route)?.get(method)?.get(status) ?? add(method, route, status);
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
