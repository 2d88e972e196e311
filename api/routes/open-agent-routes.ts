import type { FastifyInstance } from "fastify";
import { stringifyJson } from "../../shared/ground/raw-json.ts";
import type { Answer } from "../../shared/identity/writes/idempotency.ts";
import { type AgentRoute, addAgentRoute } from "../http/agent-route.ts";
import type { RouteContext } from "../http/context.ts";
import type { RouteDocs } from "../http/route-docs.ts";

/** A route without what its method and its group say of it. */
interface Wanted extends Omit<AgentRoute, "method" | "url" | "kind" | "docs"> {
  /** Where it is not as its method has it: GET reads, every other one writes. */
  kind?: AgentRoute["kind"];
  docs: Omit<RouteDocs, "tag"> & Partial<Pick<RouteDocs, "tag">>;
}

/** Adds routes of agents, each by its method, under one tag of the document unless its own docs name another. */
export function openAgentRoutes(app: FastifyInstance, context: RouteContext, tag: RouteDocs["tag"]) {
  const add = (method: AgentRoute["method"]) => (url: string, route: Wanted) =>
    addAgentRoute(app, context, {
      ...{ method, url, kind: method === "GET" ? "read" : "write" },
      ...route,
      docs: { tag, ...route.docs },
    });
  return { get: add("GET"), post: add("POST"), put: add("PUT"), patch: add("PATCH"), remove: add("DELETE") };
}

/** What most routes need first. */
export const CONFIRMED = "Your owner has to have confirmed the claim.";
/** What routes of one creation need first. */
export const OWN_CREATION = "The creation has to be yours.";

/** A whole body as an answer, such as that of a list. */
export function answerBody(body: object): Answer {
  return { status: 200, headers: {}, body: stringifyJson(body) };
}

/** The answer of a write that leaves nothing to tell. */
export const NO_CONTENT: Answer = { status: 204, headers: {}, body: "" };
