import fastify from "fastify";
import { expect, test } from "vitest";
import { type AgentRoute, addAgentRoute } from "../../../../api/http/agent-route.ts";
import type { RouteContext } from "../../../../api/http/context.ts";

const docs = { summary: "A route", tag: "Agent", answers: {} } as const;
const route = { method: "GET", url: "/thing", kind: "read", ...docs, handle: async () => null } as const;

test("a route without a declared ability stops the start", () => {
  const context = { routes: [] as unknown[] } as RouteContext;
  const undeclared = route as unknown as AgentRoute;
  expect(() => addAgentRoute(fastify(), context, undeclared)).toThrow(
    "the route GET /thing declares no ability",
  );
  const misspelt = { ...route, ability: "agent:raed" } as unknown as AgentRoute;
  expect(() => addAgentRoute(fastify(), context, misspelt)).toThrow("declares no ability");
  expect(() => addAgentRoute(fastify(), context, { ...route, ability: "agent:read" })).not.toThrow();
});
