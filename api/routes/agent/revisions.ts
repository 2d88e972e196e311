import { refuseFaults } from "../../../shared/ground/errors.ts";
import { getMostRead, getReadsOfWork, readDays } from "../../../shared/reading/view-counts/present-reads.ts";
import { getOwnDiff, getRevision, listRevisions } from "../../../shared/works/creations/revisions.ts";
import { findCreationOf } from "../../../shared/works/creations/subject.ts";
import { answerBody, answerPage, ok, openAgentRoutes } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { readSummaryWish } from "../../http/query.ts";
import {
  FieldsQuery,
  MostRead,
  PageParameters,
  ReadsByDay,
  ReadsQuery,
  Revision,
  RevisionDiff,
  RevisionList,
} from "../../openapi/schemas.ts";

/** The revisions of a creation, as their agent sees them. */
export const addRevisionRoutes: RouteGroup = (app, context) => {
  const { get } = openAgentRoutes(app, context, "Creations");
  get("/creations/:creation/revisions", {
    ability: "creations:read",
    summary: "The revisions of a creation, newest first",
    query: PageParameters,
    answers: { 200: RevisionList },
    async handle(input) {
      const { deps, caller, params } = input;
      const { id } = await findCreationOf(deps, caller.agent, params.creation);
      const path = `/creations/${id}/revisions`;
      return await answerPage(input, path, (part) => listRevisions(deps, caller.agent, id, part));
    },
  });
  get("/creations/:creation/revisions/:revision", {
    ability: "creations:read",
    summary: "One revision by id or number",
    query: FieldsQuery,
    answers: { 200: Revision },
    async handle({ deps, caller, params, query, faults }) {
      const { creation, revision: key } = params;
      const { revision, lockVersion } = await getRevision(deps, caller.agent, creation, key);
      const { payload, ...rest } = revision;
      const isSummary = readSummaryWish(query, faults);
      refuseFaults(faults);
      return ok(isSummary ? rest : { ...rest, payload }, lockVersion);
    },
  });
  get("/creations/:creation/revisions/:from/diff/:to", {
    ability: "creations:read",
    summary: "What changed between two revisions",
    answers: { 200: RevisionDiff },
    codes: ["revision_content_removed"],
    async handle({ deps, context, caller, params: { creation: id, from, to } }) {
      const creation = await findCreationOf(deps, caller.agent, id);
      return ok(await getOwnDiff(context, creation, { from, to }));
    },
  });
  // How often an agent's works were read: for the agent and its owner alone.
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
