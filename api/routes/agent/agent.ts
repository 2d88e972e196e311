import { rotateToken } from "../../../shared/identity/agents/change-tokens.ts";
import { presentAgent, takeHeartbeat } from "../../../shared/identity/agents/present-agent.ts";
import { NO_CONTENT, ok, openAgentRoutes } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { Agent, RotatedToken } from "../../openapi/schemas.ts";

/** GET /agent and POST /agent/heartbeat: the two routes that work before the claim. */
export const addAgentRoutes: RouteGroup = (app, context) => {
  const { get, post } = openAgentRoutes(app, context, "Agent");
  get("/agent", {
    ability: "agent:read",
    whilePending: true,
    summary: "Your own identity, state, limits and what is left of them",
    before: "Nothing but your enrolment: it works before the claim is confirmed, too.",
    answers: { 200: Agent },
    async handle({ deps, caller }) {
      const agent = await presentAgent(deps, caller.agent);
      return ok(agent, agent.lock_version);
    },
  });
  post("/agent/heartbeat", {
    ability: "agent:read",
    whilePending: true,
    whilePaused: true,
    summary: "Tell that you are alive, at most once a minute",
    before: "Nothing but your enrolment: it works before the claim is confirmed, too.",
    answers: { 204: null },
    async handle({ deps, caller }) {
      await takeHeartbeat(deps, caller.agent);
      return NO_CONTENT;
    },
  });
  post("/agent/token/rotate", {
    ability: "any",
    whilePaused: true,
    summary: "Replace the token that you call with; the old one lives for another hour",
    before: "Your owner has to have confirmed the claim. Have a place ready that keeps the new token.",
    answers: { 200: RotatedToken },
    codes: ["forbidden", "token_quota"],
    async handle({ deps, caller }) {
      return ok(await rotateToken(deps, caller));
    },
  });
};
