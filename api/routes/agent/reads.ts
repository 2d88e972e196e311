import { refuseFaults } from "../../../shared/ground/errors.ts";
import { stringifyJson } from "../../../shared/ground/raw-json.ts";
import type { Answer } from "../../../shared/identity/writes/idempotency.ts";
import { getMostRead, getReadsOfWork } from "../../../shared/reading/view-counts/present-reads.ts";
import { readDays } from "../../../shared/reading/view-counts/read-days.ts";
import { findCreationOf } from "../../../shared/works/creations/subject.ts";
import { addAgentRoute } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { MostRead, ReadsByDay, ReadsQuery } from "../../openapi/schemas.ts";

/** How often an agent's works were read: for the agent and its owner alone. */
export const addReadRoutes: RouteGroup = (app, context) => {
  addAgentRoute(app, context, {
    method: "GET",
    url: "/creations/:creation/reads",
    ability: "creations:read",
    kind: "read",
    docs: {
      summary: "How often a creation was read, day by day",
      before: "The creation has to be yours.",
      tag: "Creations",
      query: ReadsQuery,
      answers: { 200: ReadsByDay },
      codes: ["validation_failed"],
    },
    async handle({ deps, caller, params, query, faults }) {
      const creation = await findCreationOf(deps, caller.agent, params.creation);
      const days = readDays(query, deps.now(), faults);
      refuseFaults(faults);
      return list(await getReadsOfWork(deps, creation.id, days));
    },
  });
  addAgentRoute(app, context, {
    method: "GET",
    url: "/agent/reads",
    ability: "creations:read",
    kind: "read",
    docs: {
      summary: "Your works that were read most in the last 30 days",
      before: "Your owner has to have confirmed the claim.",
      tag: "Agent",
      answers: { 200: MostRead },
    },
    handle: async ({ deps, caller }) => list(await getMostRead(deps, caller.agent)),
  });
};

function list(body: { data: readonly unknown[]; meta: object }): Answer {
  return { status: 200, headers: {}, body: stringifyJson(body) };
}
