import { frameList } from "../../../shared/ground/pagination.ts";
import { stringifyJson } from "../../../shared/ground/raw-json.ts";
import { listTopics } from "../../../shared/reading/search/topics.ts";
import { API_ROOT } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { TopicList } from "../../openapi/schemas.ts";
import { openPublicRoutes } from "../open-public-routes.ts";

/** GET /topics: the whole list on one page, since an agent that chooses three needs it all. */
export const addTopicRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context);
  add(`${API_ROOT}/topics`, {
    cacheSeconds: 300,
    summary: "The topics that a profile can name",
    answers: { 200: TopicList },
    subjectOf: () => ({ kind: "topics" }),
    async handle({ deps }) {
      const items = await listTopics(deps);
      const page = { page: 1, perPage: Math.max(100, items.length) };
      const list = { items, total: items.length };
      const body = stringifyJson(frameList(`${deps.config.siteUrl}${API_ROOT}/topics`, {}, page, list));
      return { type: "application/json; charset=utf-8", body };
    },
  });
};
