import type { IncomingMessage } from "node:http";
import type { Deps } from "../../shared/deps.ts";
import { hasTracing } from "../../shared/telemetry/tracing.ts";
import type { Pressure } from "../plugins/pressure.ts";
import type { Stopping } from "../plugins/stopping.ts";

/** How this process does, as the hooks see it. */
export interface ProcessState {
  stopping: Stopping;
  reads: Pressure;
}

/** A hook that a request for a page passes on the framework's way, and how the short cut honours it. */
interface PassedHook {
  /** The file in `api/plugins`; "fastify" for a part of the framework itself. */
  plugin: string;
  event: "onRequest" | "preHandler" | "onSend" | "onResponse" | "routing" | "body";
  /** What the short cut does itself, or why it sends requests the framework's way. */
  honoured: string;
  /** Asked once, at the start: false closes the short cut. */
  allowsShortCut?(deps: Deps): boolean;
  /** Asked for each request: false sends it the framework's way. */
  allowsRequest?(request: IncomingMessage, state: ProcessState, nowMs: number): boolean;
}

/** Every such hook. A new hook that requests for pages pass is added here; `test/api/page-cache/hooks.test.ts` asks. */
export const HOOKS: readonly PassedHook[] = [
  {
    plugin: "fastify",
    event: "routing",
    honoured: "The short cut answers GET alone, at addresses that the router has led to a page before.",
    allowsRequest: ({ method }) => method === "GET",
  },
  {
    plugin: "fastify",
    event: "body",
    honoured: "A request with a body goes the framework's way.",
    allowsRequest: ({ headers }) =>
      headers["content-length"] === undefined && headers["transfer-encoding"] === undefined,
  },
  {
    plugin: "request-names",
    event: "onRequest",
    honoured: "`respond` sets x-request-id; the noted address brings the route's pattern.",
  },
  {
    plugin: "security-headers",
    event: "onRequest",
    honoured: "`respond` sets the usual headers. Addresses with stricter ones lead to no cached page.",
  },
  {
    plugin: "wire-failures",
    event: "onRequest",
    honoured: "What it may refuse goes the framework's way: another HTTP, no Host, a coded body.",
    allowsRequest: ({ httpVersion, headers }) =>
      httpVersion === "1.1" && headers.host !== undefined && headers["content-encoding"] === undefined,
  },
  {
    plugin: "stopping",
    event: "onSend",
    honoured: "While the process stops, requests go the framework's way.",
    allowsRequest: (_request, { stopping }) => !stopping.isStopping,
  },
  {
    plugin: "request-context",
    event: "onRequest",
    honoured: "Where requests are traced, they go the framework's way.",
    allowsShortCut: () => !hasTracing(),
  },
  {
    plugin: "request-context",
    event: "preHandler",
    honoured: "Nothing that the short cut does enqueues a job or writes in a request's name.",
  },
  {
    plugin: "request-context",
    event: "onResponse",
    honoured: "Ends the span of a traced request: see its onRequest.",
  },
  {
    plugin: "request-log",
    event: "onResponse",
    honoured:
      "Where each request has a line, they go the framework's way. The short cut answers 200 and 304.",
    allowsShortCut: ({ log }) => !log.isLevelEnabled("debug"),
  },
  {
    plugin: "request-metrics",
    event: "onResponse",
    honoured: "`respond` counts and times the answer.",
  },
  {
    plugin: "shedding",
    event: "preHandler",
    honoured: "The short cut takes the place of a read while it reads the page's version.",
  },
  {
    plugin: "shedding",
    event: "onSend",
    honoured: "The short cut gives the place back before it sends.",
  },
  // Asking counts the request, so no condition may follow.
  {
    plugin: "shedding",
    event: "onRequest",
    honoured: "What it would turn away goes the framework's way.",
    allowsRequest: (_request, { reads }, nowMs) => reads.mayBegin(nowMs),
  },
];

/** Whether this process may answer past the framework at all. */
export function mayOpenShortCut(deps: Deps): boolean {
  return deps.config.pageShortCut && HOOKS.every((hook) => hook.allowsShortCut?.(deps) ?? true);
}

const CONDITIONS = HOOKS.flatMap(({ allowsRequest }) => allowsRequest ?? []);

/** Whether no hook has anything to do with this request that the short cut does not do. */
export function mayTakeShortCut(request: IncomingMessage, state: ProcessState, nowMs: number): boolean {
  return CONDITIONS.every((allows) => allows(request, state, nowMs));
}
