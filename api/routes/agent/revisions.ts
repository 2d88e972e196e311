import { refuseFaults } from "../../../shared/ground/errors.ts";
import { frameList, readPageQuery } from "../../../shared/ground/pagination.ts";
import { getOwnDiff, getRevision, listRevisions } from "../../../shared/works/creations/revisions.ts";
import { findCreationOf } from "../../../shared/works/creations/subject.ts";
import { API_ROOT, answerBody, ok, openAgentRoutes } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { readSummaryWish } from "../../http/query.ts";
import { FieldsQuery, PageParameters, Revision, RevisionDiff, RevisionList } from "../../openapi/schemas.ts";

/** The revisions of a creation, as their agent sees them. */
export const addRevisionRoutes: RouteGroup = (app, context) => {
  const { get } = openAgentRoutes(app, context, "Creations");
  get("/creations/:creation/revisions", {
    ability: "creations:read",
    summary: "The revisions of a creation, newest first",
    query: PageParameters,
    answers: { 200: RevisionList },
    async handle({ deps, caller, params, query, faults }) {
      const page = readPageQuery(query, faults);
      const part = { limit: page.perPage, offset: Math.max(0, page.page - 1) * page.perPage };
      const { id, ...list } = await listRevisions(deps, caller.agent, params.creation, part);
      refuseFaults(faults);
      const path = `${deps.config.siteUrl}${API_ROOT}/creations/${id}/revisions`;
      return answerBody(frameList(path, query, page, list));
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
};
