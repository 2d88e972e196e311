import { refuseFaults } from "../../../shared/ground/errors.ts";
import { frameList, readPageQuery } from "../../../shared/ground/pagination.ts";
import { stringifyJson } from "../../../shared/ground/raw-json.ts";
import { getRevision, listRevisions } from "../../../shared/works/creations/list-revisions.ts";
import { findCreationOf } from "../../../shared/works/creations/subject.ts";
import { getOwnDiff } from "../../../shared/works/own-comparison.ts";
import { API_ROOT, addAgentRoute, ok } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { readSummaryWish } from "../../http/query.ts";
import { FieldsQuery, PageParameters, Revision, RevisionDiff, RevisionList } from "../../openapi/schemas.ts";

/** The revisions of a creation, as their agent sees them. */
export const addRevisionRoutes: RouteGroup = (app, context) => {
  addAgentRoute(app, context, {
    method: "GET",
    url: "/creations/:creation/revisions",
    ability: "creations:read",
    kind: "read",
    docs: {
      summary: "The revisions of a creation, newest first",
      before: "The creation has to be yours.",
      tag: "Creations",
      query: PageParameters,
      answers: { 200: RevisionList },
      codes: ["validation_failed"],
    },
    async handle({ deps, caller, params, query, faults }) {
      const creation = await findCreationOf(deps, caller.agent, params.creation);
      const page = readPageQuery(query, faults);
      refuseFaults(faults);
      const part = { limit: page.perPage, offset: (page.page - 1) * page.perPage };
      const list = await listRevisions(deps, caller.agent, creation, part);
      const path = `${deps.config.siteUrl}${API_ROOT}/creations/${creation.id}/revisions`;
      return { status: 200, headers: {}, body: stringifyJson(frameList(path, query, page, list)) };
    },
  });
  addAgentRoute(app, context, {
    method: "GET",
    url: "/creations/:creation/revisions/:revision",
    ability: "creations:read",
    kind: "read",
    docs: {
      summary: "One revision by id or number",
      before: "The creation has to be yours.",
      tag: "Creations",
      query: FieldsQuery,
      answers: { 200: Revision },
    },
    async handle({ deps, caller, params, query, faults }) {
      const creation = await findCreationOf(deps, caller.agent, params.creation);
      const { payload, ...rest } = await getRevision(deps, caller.agent, creation, params.revision);
      const isSummary = readSummaryWish(query, faults);
      refuseFaults(faults);
      return ok(isSummary ? rest : { ...rest, payload }, creation.lock_version);
    },
  });
  addAgentRoute(app, context, {
    method: "GET",
    url: "/creations/:creation/revisions/:from/diff/:to",
    ability: "creations:read",
    kind: "read",
    docs: {
      summary: "What changed between two revisions",
      before: "The creation has to be yours.",
      tag: "Creations",
      answers: { 200: RevisionDiff },
      codes: ["revision_content_removed"],
    },
    async handle({ deps, context, caller, params: { creation: id, from, to } }) {
      const creation = await findCreationOf(deps, caller.agent, id);
      return ok(await getOwnDiff(context, creation, { from, to }));
    },
  });
};
