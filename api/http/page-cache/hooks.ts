import type { IncomingMessage } from "node:http";
import type { BlockedNetworks } from "../../../shared/care/moderation/blocked-networks.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { hasTracing } from "../../../shared/platform/telemetry/tracing.ts";
import { mayAskForForm } from "../choose-form.ts";
import { mayBeBlocked } from "../hooks/blocked-networks.ts";
import type { Pressure } from "../hooks/pressure.ts";
import type { Stopping } from "../hooks/stopping.ts";

/** The state of this process, as the hooks see it. */
export interface ProcessState {
  stopping: Stopping;
  reads: Pressure;
  blockedNetworks: BlockedNetworks;
}

/** A hook that a request for a page passes on the framework's way, and how the short cut honours it. */
interface PassedHook {
  /** The file in `api/http/hooks`; "fastify" for a part of the framework itself. */
  plugin: string;
  event: "onRequest" | "preHandler" | "onSend" | "onResponse" | "routing" | "body";
  /** How the short cut does the hook's work, or why it leaves requests to the framework. */
  honoured: string;
  /** Checked once, at the start: false disables the short cut. */
  allowsShortCut?(deps: Deps): boolean;
  /** Checked for each request: false leaves it to the framework. */
  allowsRequest?(request: IncomingMessage, state: ProcessState, nowMs: number): boolean;
}

/**
 * Every such hook. Add each new hook on the way of pages here; `test/api/http/page-cache/hooks.test.ts` checks the
 * list.
 */
export const HOOKS: readonly PassedHook[] = [
  {
    plugin: "fastify",
    event: "routing",
    honoured:
      "The short cut answers GET alone, at addresses that the router has led to a page before, and only with HTML.",
    allowsRequest: ({ method, headers }) => method === "GET" && !mayAskForForm(headers.accept),
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
    plugin: "blocked-networks",
    event: "onRequest",
    honoured: "A request with a blocked address in its connection or its headers goes the framework's way.",
    allowsRequest: (request, { blockedNetworks }) => !mayBeBlocked(request, blockedNetworks),
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
    honoured: "`respond` writes the line. A page for readers is the same for every caller.",
  },
  {
    plugin: "request-metrics",
    event: "onResponse",
    honoured: "`respond` counts and times the answer.",
  },
  {
    plugin: "read-counts",
    event: "onResponse",
    honoured: "`respond` counts the read of a work that a cached response is.",
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
  // This check counts the request, so it must be the last condition.
  {
    plugin: "shedding",
    event: "onRequest",
    honoured: "What it would turn away, or what must wait for a place, goes the framework's way.",
    allowsRequest: (_request, { reads }, nowMs) => reads.mayBegin(nowMs),
  },
];

/** Whether this process may answer past the framework at all. */
export function mayOpenShortCut(deps: Deps): boolean {
  return deps.config.pageShortCut && HOOKS.every((hook) => hook.allowsShortCut?.(deps) ?? true);
}

const CONDITIONS = HOOKS.flatMap(({ allowsRequest }) => allowsRequest ?? []);

/** Whether the short cut does everything that the hooks would do for this request. */
export function mayTakeShortCut(request: IncomingMessage, state: ProcessState, nowMs: number): boolean {
  return CONDITIONS.every((allows) => allows(request, state, nowMs));
}
