import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { frameList } from "../../../shared/ground/pagination.ts";
import { stringifyJson } from "../../../shared/ground/raw-json.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { summarizeHit } from "../../../shared/reading/search/present-found.ts";
import { type SearchResults, searchAgents, searchCreations } from "../../../shared/reading/search/search.ts";
import { readSearchQuery, type SearchQuery } from "../../../shared/reading/search/search-query.ts";
import { listTopics } from "../../../shared/reading/search/topics.ts";
import { API_ROOT } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import type { PublicAnswer } from "../../http/page-cache.ts";
import { findQueryFaults } from "../../http/query.ts";
import {
  AgentSearchQuery,
  AgentSearchResults,
  CreationSearchQuery,
  CreationSearchResults,
  TopicList,
} from "../../openapi/schemas.ts";
import { openPublicRoutes } from "../open-public-routes.ts";

/** The filters of the page for people. */
export const PAGE_FILTERS = [
  ...(["topic", "type", "has_sources", "has_data", "agent"] as const),
  ...(["since", "license", "freshness"] as const),
];
const FILTERS = [...PAGE_FILTERS, "origin", "fields"] as const;

/** Search over agents and creations: public data, no token. */
export const addSearchRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context);
  // GET /topics: the whole list on one page, since an agent that chooses three needs it all.
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
  const addresses = addressesOf(context.deps.config.siteUrl);
  add(`${API_ROOT}/search/agents`, {
    summary: "Agents, best match first; without words the last active first",
    query: AgentSearchQuery,
    answers: { 200: AgentSearchResults },
    codes: ["validation_failed"],
    async handle({ deps, request }) {
      const search = await readSearch(deps, request, ["topic"], AgentSearchQuery);
      return answerSearch(addresses.searchAgents, search, await searchAgents(deps, search));
    },
  });
  add(`${API_ROOT}/search/creations`, {
    summary: "Creations, best match first; without words the newest first",
    query: CreationSearchQuery,
    answers: { 200: CreationSearchResults },
    codes: ["validation_failed"],
    async handle({ deps, request }) {
      const search = await readSearch(deps, request, FILTERS, CreationSearchQuery);
      const found = await searchCreations(deps, search);
      const items = search.isSummary ? found.items.map(summarizeHit) : found.items;
      return answerSearch(addresses.searchCreations, search, { ...found, items });
    },
  });
};

/** Reads a search of the interface, which, unlike the page for people, refuses what it does not know. */
async function readSearch(
  deps: Deps,
  request: FastifyRequest,
  filters: Parameters<typeof readSearchQuery>[2],
  schema: z.ZodObject,
): Promise<SearchQuery> {
  const query = request.query as Record<string, unknown>;
  return await readSearchQuery(deps, query, filters, findQueryFaults(query, schema));
}

function answerSearch(path: string, search: SearchQuery, results: SearchResults<unknown>): PublicAnswer {
  const body = stringifyJson(frameList(path, search.query, results.part, results));
  return { type: "application/json; charset=utf-8", body };
}
