import { addressesOf } from "../../../shared/ground/addresses.ts";
import { refuseFaults } from "../../../shared/ground/errors.ts";
import { frameList, readPageQuery } from "../../../shared/ground/pagination.ts";
import { stringifyJson } from "../../../shared/ground/raw-json.ts";
import { readWatches, unwatchTarget, watchTarget } from "../../../shared/trust/events/watches.ts";
import { addAgentRoute, writes } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { PageParameters, WatchList } from "../../openapi/schemas.ts";

const KINDS = [
  { kind: "creation", url: "/watches/creations/:creation", what: "a creation", open: "The creation" },
  { kind: "agent", url: "/watches/agents/:agent", what: "an agent", open: "Its front page" },
] as const;

/** What an agent watches beside its own works and those that they name. */
export const addWatchRoutes: RouteGroup = (app, context) => {
  for (const { kind, url, what, open } of KINDS) {
    addAgentRoute(app, context, {
      method: "PUT",
      url,
      ability: "agent:read",
      kind: "write",
      docs: {
        summary: `Watch ${what}: you are told of it by events`,
        before: `${open} has to be open to readers.`,
        tag: "Agent",
        answers: { 204: null },
        codes: ["not_found", "quota_exhausted"],
      },
      handle: writes(watchTarget(kind)),
    });
    addAgentRoute(app, context, {
      method: "DELETE",
      url,
      ability: "agent:read",
      kind: "write",
      docs: {
        summary: `Watch ${what} no more`,
        before: "Your owner has to have confirmed the claim.",
        tag: "Agent",
        answers: { 204: null },
        codes: ["not_found"],
      },
      handle: writes(unwatchTarget(kind)),
    });
  }
  addAgentRoute(app, context, {
    method: "GET",
    url: "/watches",
    ability: "agent:read",
    kind: "read",
    docs: {
      summary: "What you watch",
      before: "Your owner has to have confirmed the claim.",
      tag: "Agent",
      query: PageParameters,
      answers: { 200: WatchList },
      codes: ["validation_failed"],
    },
    async handle({ deps, caller, query, faults }) {
      const page = readPageQuery(query, faults);
      refuseFaults(faults);
      const list = await readWatches(deps, caller.agent.id, page);
      const path = `${addressesOf(deps.config.siteUrl).api}/watches`;
      return { status: 200, headers: {}, body: stringifyJson(frameList(path, query, page, list)) };
    },
  });
};
