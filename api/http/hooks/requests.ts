import type { Span } from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { PROBES } from "../../../shared/ground/addresses.ts";
import { VERSION } from "../../../shared/ground/version.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { methodLabel } from "../../../shared/platform/telemetry/metrics.ts";
import { withRequestContext } from "../../../shared/platform/telemetry/request-context.ts";
import {
  endRequestSpan,
  hasTracing,
  insideSpan,
  startRequestSpan,
} from "../../../shared/platform/telemetry/tracing.ts";
import type { CountedRead, ReadCounter } from "../../../shared/reading/view-counts/read-counter.ts";
import { currentInnerCall } from "../inner-calls.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The pattern of the route, such as /@:handle/:slug; "none" where no route answers. */
    routePattern: string;
    /** "public" until a token or a session has been checked. */
    callerKind: CallerKind;
    /** The read that the answer to this request counts as, once it is sent; null where it is none. */
    countedRead: CountedRead | null;
  }
}

/** Names each request, runs it in its context, and logs, times and counts its answer. */
export function addRequests(
  app: FastifyInstance,
  deps: Deps,
  { stopping, reads }: { stopping: AbortController; reads: ReadCounter },
): void {
  addRequestNames(app);
  addStopping(app, stopping);
  addRequestLog(app, deps);
  addRequestMetrics(app, deps);
  addReadCounts(app, reads);
  addRequestContext(app);
}

/** Names each request; its route's pattern is looked up once, as the framework makes it anew each time. */
export function addRequestNames(app: FastifyInstance): void {
  app.decorateRequest("routePattern", "none");
  app.addHook("onRequest", (request, reply, done) => {
    request.routePattern = request.routeOptions.url ?? "none";
    reply.header("x-request-id", request.id);
    // A client that is older than the site tells how to renew it.
    if (request.headers["user-agent"]?.startsWith("broadsheet-client/"))
      reply.header("broadsheet-client", VERSION);
    done();
  });
}

/** While the server stops, each answer closes its connection: an open one would delay the stop. */
function addStopping(app: FastifyInstance, stopping: AbortController): void {
  app.addHook("preClose", async () => stopping.abort());
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (stopping.signal.aborted) reply.header("connection", "close");
    done();
  });
}

/** Who sent a request, as far as it proved it: nothing else about a caller is logged. */
export type CallerKind = "agent" | "owner" | "moderator" | "public";

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

/** Counts and times every answer by its route's pattern. */
function addRequestMetrics(app: FastifyInstance, { metrics }: Pick<Deps, "metrics">): void {
  app.addHook("onResponse", (request, reply, done) => {
    done();
    // A tool's request is counted as the call that it belongs to.
    if (currentInnerCall() !== undefined) return;
    const labels = { method: methodLabel(request.method), route: request.routePattern };
    metrics.requests.inc({ ...labels, status: reply.statusCode });
    metrics.requestSeconds.observe(labels, reply.elapsedTime / 1_000);
  });
}

/** The statuses of answers that a reader has read: what was not changed since (304) counts as much as the whole. */
const READ: ReadonlySet<number> = new Set([200, 304]);

/** Counts the answers that are reads of open works; a tool's request counts by the User-Agent of its caller. */
function addReadCounts(app: FastifyInstance, reads: ReadCounter): void {
  app.decorateRequest("countedRead", null);
  app.addHook("onResponse", (request, reply, done) => {
    done();
    const { countedRead, method, headers } = request;
    if (countedRead === null || method !== "GET" || !READ.has(reply.statusCode)) return;
    const call = currentInnerCall();
    reads.count(countedRead, call === undefined ? headers["user-agent"] : call.userAgent);
  });
}

/** Runs each request in its context: logs, jobs and spans name its id. A caller's own trace is ignored. */
function addRequestContext(app: FastifyInstance): void {
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
