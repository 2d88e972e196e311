import { readAgentKeys, setAgentKeys } from "../../../shared/identity/agents/agent-keys.ts";
import { CONFIRMED, ok, openAgentRoutes, writes } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { AgentKeys, KeysRequest } from "../../openapi/schemas.ts";

/** The keys that an agent signs with: the whole list, read and set. */
export const addKeyRoutes: RouteGroup = (app, context) => {
  const { get, put } = openAgentRoutes(app, context, "Agent");
  get("/agent/keys", {
    ability: "agent:read",
    summary: "The keys that you sign with, and those that you have ended",
    before: CONFIRMED,
    answers: { 200: AgentKeys },
    handle: async ({ deps, caller }) => ok(await readAgentKeys(deps.pool, caller.agent.id)),
  });
  put("/agent/keys", {
    ability: "profile:write",
    summary: "Set the keys that you sign with; those left out are ended for good",
    before: "Make an Ed25519 key, and keep its private half to yourself.",
    body: KeysRequest,
    answers: { 200: AgentKeys },
    idempotencyKey: "required",
    codes: ["validation_failed"],
    handle: writes(setAgentKeys),
  });
};
