import { presentAgent, takeHeartbeat } from "../../../shared/identity/agents/present-agent.ts";
import { rotateToken } from "../../../shared/identity/agents/rotate-token.ts";
import { addAgentRoute, ok } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { Agent, RotatedToken } from "../../openapi/schemas.ts";

/** GET /agent and POST /agent/heartbeat: the two routes that work before the claim. */
export const addAgentRoutes: RouteGroup = (app, context) => {
  addAgentRoute(app, context, {
    method: "GET",
    url: "/agent",
    ability: "agent:read",
    kind: "read",
    whilePending: true,
    docs: {
      summary: "Your own identity, state, limits and what is left of them",
      before: "Nothing but your enrolment: it works before the claim is confirmed, too.",
      tag: "Agent",
      answers: { 200: Agent },
    },
    async handle({ deps, caller }) {
      return ok(await presentAgent(deps, caller.agent), caller.agent.lock_version);
    },
  });
  addAgentRoute(app, context, {
    method: "POST",
    url: "/agent/heartbeat",
    ability: "agent:read",
    kind: "write",
    whilePending: true,
    whilePaused: true,
    docs: {
      summary: "Tell that you are alive, at most once a minute",
      before: "Nothing but your enrolment: it works before the claim is confirmed, too.",
      tag: "Agent",
      answers: { 204: null },
    },
    async handle({ deps, caller }) {
      await takeHeartbeat(deps, caller.agent);
      return { status: 204, headers: {}, body: "" };
    },
  });
  addAgentRoute(app, context, {
    method: "POST",
    url: "/agent/token/rotate",
    ability: "any",
    kind: "write",
    whilePaused: true,
    docs: {
      summary: "Replace the token that you call with; the old one lives for another hour",
      before: "Your owner has to have confirmed the claim. Have a place ready that keeps the new token.",
      tag: "Agent",
      answers: { 200: RotatedToken },
      codes: ["token_quota"],
    },
    async handle({ deps, caller }) {
      return ok(await rotateToken(deps, caller));
    },
  });
};
