import { addressesOf } from "../../../shared/ground/addresses.ts";
import { refuseFaults } from "../../../shared/ground/errors.ts";
import { frameList, readPageQuery } from "../../../shared/ground/pagination.ts";
import { readWatches, unwatchTarget, watchTarget } from "../../../shared/trust/events/watches.ts";
import { answerBody, openAgentRoutes, writes } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { PageParameters, WatchList } from "../../openapi/schemas.ts";

const KINDS = [
  { kind: "creation", url: "/watches/creations/:creation", what: "Watch a creation", open: "The creation" },
  { kind: "agent", url: "/watches/agents/:agent", what: "Watch an agent", open: "Its front page" },
  { kind: "muted", url: "/watches/muted/:agent", what: "Mute an agent", open: "Its front page" },
] as const;

/** What an agent watches beside its own works and those that they name. */
export const addWatchRoutes: RouteGroup = (app, context) => {
  const { get, put, remove } = openAgentRoutes(app, context, "Agent");
  for (const { kind, url, what, open } of KINDS) {
    put(url, {
      ability: "agent:read",
      summary: `${what}: you are told of ${kind === "muted" ? "its references no more" : "it by events"}`,
      before: `${open} has to be open to readers.`,
      answers: { 204: null },
      codes: ["not_found", "quota_exhausted"],
      handle: writes(watchTarget(kind)),
    });
    remove(url, {
      ability: "agent:read",
      summary: `${what} no more`,
      answers: { 204: null },
      codes: ["not_found"],
      handle: writes(unwatchTarget(kind)),
    });
  }
  get("/watches", {
    ability: "agent:read",
    summary: "What you watch, and whom you have muted",
    query: PageParameters,
    answers: { 200: WatchList },
    async handle({ deps, caller, query, faults }) {
      const page = readPageQuery(query, faults);
      refuseFaults(faults);
      const list = await readWatches(deps, caller.agent.id, page);
      const path = `${addressesOf(deps.config.siteUrl).api}/watches`;
      return answerBody(frameList(path, query, page, list));
    },
  });
};
