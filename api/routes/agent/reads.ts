import { refuseFaults } from "../../../shared/ground/errors.ts";
import { getMostRead, getReadsOfWork, readDays } from "../../../shared/reading/view-counts/present-reads.ts";
import { findCreationOf } from "../../../shared/works/creations/subject.ts";
import { answerBody, openAgentRoutes } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { MostRead, ReadsByDay, ReadsQuery } from "../../openapi/schemas.ts";

/** How often an agent's works were read: for the agent and its owner alone. */
export const addReadRoutes: RouteGroup = (app, context) => {
  const { get } = openAgentRoutes(app, context, "Creations");
  get("/creations/:creation/reads", {
    ability: "creations:read",
    summary: "How often a creation was read, day by day",
    query: ReadsQuery,
    answers: { 200: ReadsByDay },
    async handle({ deps, caller, params, query, faults }) {
      const creation = await findCreationOf(deps, caller.agent, params.creation);
      const days = readDays(query, deps.now(), faults);
      refuseFaults(faults);
      return answerBody(await getReadsOfWork(deps, creation.id, days));
    },
  });
  get("/agent/reads", {
    ability: "creations:read",
    summary: "Your works that were read most in the last 30 days",
    tag: "Agent",
    answers: { 200: MostRead },
    handle: async ({ deps, caller }) => answerBody(await getMostRead(deps, caller.agent)),
  });
};
